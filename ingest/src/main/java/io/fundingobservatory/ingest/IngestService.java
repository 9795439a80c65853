package io.fundingobservatory.ingest;

import io.fundingobservatory.ingest.fetching.ExchangesOverHttp;
import io.fundingobservatory.ingest.publishing.Publisher;
import io.fundingobservatory.ingest.sharing.VenueShare;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.TopicCreation;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Polls this process's share of the exchanges and publishes what they say. */
public final class IngestService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IngestService.class);
    private static final Duration BROKER_RETRY = Duration.ofSeconds(1);
    private static final int BROKER_TIMEOUT_MS = 5_000;

    private final IngestSettings settings;
    private final String bootstrapServers;
    private final short replication;
    private final InstantSource clock;
    private final PollMetrics watch;
    private final Observed observed;
    private volatile @Nullable Publisher publisher;
    private volatile @Nullable Pollers pollers;
    private volatile @Nullable VenueShare share;
    private volatile @Nullable ExchangesOverHttp exchanges;
    private volatile boolean closed;

    /**
     * A service that has not started.
     *
     * @param bootstrapServers where the broker is
     * @param replication the replication factor of topics that have to be created
     */
    public IngestService(
            IngestSettings settings,
            String bootstrapServers,
            short replication,
            InstantSource clock,
            MeterRegistry meters) {
        this.settings = settings;
        this.bootstrapServers = bootstrapServers;
        this.replication = replication;
        this.clock = clock;
        this.watch = new PollMetrics(meters);
        this.observed = Observed.parse(settings.exchanges());
    }

    /** Starts polling; returns when the topics are there and the share of the venues has been asked for. */
    public void start() throws InterruptedException {
        awaitTopics();
        synchronized (this) {
            if (closed) {
                return;
            }
            exchanges = switch (observed) {
                case Observed.Live() -> ExchangesOverHttp.live(clock);
                case Observed.Simulated(String base) -> ExchangesOverHttp.inPlaceOfThem(base, clock);
                case Observed.Replay(Path folder) -> null;
            };
            publisher = new Publisher(bootstrapServers);
            pollers = new Pollers(settings, observed, exchanges, publisher, bootstrapServers, clock, watch);
            share = new VenueShare(bootstrapServers, pollers);
            share.start();
        }
        LOG.info(
                "ingest=started source={} readers={} listed={}",
                observed.source(),
                Registry.all().size(),
                ListedVenue.ALL.size());
    }

    private void awaitTopics() throws InterruptedException {
        boolean told = false;
        while (!closed) {
            Map<String, Object> config = Map.of(
                    AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                    AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, BROKER_TIMEOUT_MS,
                    AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, BROKER_TIMEOUT_MS);
            try (Admin admin = Admin.create(config)) {
                TopicCreation.createMissing(admin, replication);
                return;
            } catch (ExecutionException | KafkaException e) {
                if (!told) {
                    told = true;
                    LOG.info("waiting for the broker at {}: {}", bootstrapServers, e.getMessage());
                }
                Thread.sleep(BROKER_RETRY);
            }
        }
    }

    /** How it is doing, for health checks. */
    public Health health() {
        Publisher to = publisher;
        VenueShare of = share;
        PollMetrics.State state = watch.state();
        return new Health(
                to != null && of != null,
                to != null && to.isReachable(),
                of != null && of.isAlive(),
                state.polled(),
                state.failing());
    }

    /**
     * How the service is doing.
     *
     * @param started whether the topics are there and polling has begun
     * @param brokerReachable whether the broker acknowledges what is sent
     * @param sharing whether the process still takes part in sharing the venues
     * @param polled venues that are polled here
     * @param failing those of them that brought no row last time
     */
    public record Health(boolean started, boolean brokerReachable, boolean sharing, int polled, int failing) {}

    /** The venues that are polled or spoken for here. */
    Set<String> venues() {
        Pollers here = pollers;
        return here == null ? Set.of() : here.venues();
    }

    /** Stops as a killed process would, without telling the group. */
    void abandon() {
        VenueShare of = share;
        if (of != null) {
            of.abandon();
        }
        close();
    }

    /** Leaves the group, stops polling and waits a few seconds for what is on its way to Kafka. */
    @Override
    public void close() {
        closed = true;
        synchronized (this) {
            if (share != null) {
                share.close();
            }
            if (pollers != null) {
                pollers.interrupt();
            }
            if (publisher != null) {
                publisher.close();
            }
            if (exchanges != null) {
                exchanges.close();
            }
        }
    }
}
