package io.fundingobservatory.ingest;

import io.fundingobservatory.ingest.fetching.ExchangeHttp;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
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
    private final ExchangeHttp http;
    private final PollMetrics metrics;
    private final Observed observed;
    private volatile @Nullable Publisher publisher;
    private volatile @Nullable Pollers pollers;
    private volatile @Nullable VenueShare share;
    private volatile @Nullable ExchangesOverHttp exchanges;
    private final Consumer<String> onFatal;
    private final AtomicBoolean failed = new AtomicBoolean();
    private volatile boolean closed;

    /**
     * A service that has not started.
     *
     * @param bootstrapServers where the broker is
     * @param replication the replication factor of topics that have to be created
     * @param http asks the exchanges; closed with this service
     */
    public IngestService(
            IngestSettings settings,
            String bootstrapServers,
            short replication,
            InstantSource clock,
            MeterRegistry meters,
            ExchangeHttp http) {
        this(settings, bootstrapServers, replication, clock, meters, http, IngestService::exit);
    }

    /** As above; {@code onFatal} is told, once, why the service cannot go on. */
    IngestService(
            IngestSettings settings,
            String bootstrapServers,
            short replication,
            InstantSource clock,
            MeterRegistry meters,
            ExchangeHttp http,
            Consumer<String> onFatal) {
        this.http = http;
        this.onFatal = onFatal;
        this.settings = settings;
        this.bootstrapServers = bootstrapServers;
        this.replication = replication;
        this.clock = clock;
        this.metrics = new PollMetrics(meters);
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
                case Observed.Live() -> ExchangesOverHttp.live(http, clock);
                case Observed.Simulated(String base) -> ExchangesOverHttp.inPlaceOfThem(http, base, clock);
                case Observed.Replay(Path folder) -> null;
            };
            publisher = new Publisher(bootstrapServers, this::fail);
            pollers = new Pollers(settings, observed, exchanges, publisher, bootstrapServers, clock, metrics);
            share = new VenueShare(bootstrapServers, pollers, this::fail);
            share.start();
        }
        LOG.info(
                "ingest=started source={} readers={} listed={}",
                observed.source(),
                Registry.all().size(),
                ListedVenue.ALL.size());
    }

    /** Without its producer or its group nothing is polled any more; a new process can do what this one cannot. */
    void fail(String reason) {
        if (!closed && failed.compareAndSet(false, true)) {
            onFatal.accept(reason);
        }
    }

    /** One line, and the process ends with status 1. Not on the caller's thread: closing waits for that. */
    private static void exit(String reason) {
        LOG.error("ingest=failed reason=\"{}\" the process ends", reason);
        Thread.ofPlatform().name("ingest-exit").start(() -> System.exit(1));
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
        PollMetrics.State state = metrics.state();
        Pollers here = pollers;
        return new Health(
                to != null && of != null,
                to != null && to.isReachable(),
                of != null && of.isAlive(),
                state.polled(),
                state.failing(),
                here == null ? Set.of() : here.silent());
    }

    /**
     * How the service is doing.
     *
     * @param started whether the topics are there and polling has begun
     * @param brokerReachable whether the broker acknowledges what is sent
     * @param sharing whether the process still takes part in sharing the venues
     * @param polled venues that are polled here
     * @param failing those of them that brought no row last time
     * @param silent venues that should be polled here and have not been for three intervals
     */
    public record Health(
            boolean started, boolean brokerReachable, boolean sharing, int polled, int failing, Set<String> silent) {
        public Health {
            silent = Set.copyOf(silent);
        }

        /** Whether it does what it is there for. That exchanges fail is no fault of the process. */
        public boolean isUp() {
            return started && brokerReachable && sharing && silent.isEmpty();
        }
    }

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
