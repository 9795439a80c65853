package io.fundingobservatory.ingest;

import io.fundingobservatory.ingest.fetching.ExchangesOverHttp;
import io.fundingobservatory.ingest.polling.AskingGathering;
import io.fundingobservatory.ingest.polling.Gathering;
import io.fundingobservatory.ingest.polling.RateBoard;
import io.fundingobservatory.ingest.polling.RecordedGathering;
import io.fundingobservatory.ingest.polling.SettledHistory;
import io.fundingobservatory.ingest.polling.Time;
import io.fundingobservatory.ingest.polling.VenuePoller;
import io.fundingobservatory.ingest.publishing.LastProgress;
import io.fundingobservatory.ingest.publishing.LastStatuses;
import io.fundingobservatory.ingest.publishing.Publisher;
import io.fundingobservatory.ingest.reading.Venue;
import io.fundingobservatory.ingest.sharing.VenueShare;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.topics.HistoryProgress;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.SettledRate;
import io.fundingobservatory.topics.Source;
import io.fundingobservatory.topics.TopicCreation;
import io.fundingobservatory.topics.VenueStatus;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
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
    private static final Duration STOPPING = Duration.ofSeconds(2);
    private static final int BROKER_TIMEOUT_MS = 5_000;

    private final IngestSettings settings;
    private final String bootstrapServers;
    private final short replication;
    private final InstantSource clock;
    private final Watch watch;
    private final Observed observed;
    private final RateBoard board = new RateBoard();
    // Kept when a venue goes and comes back: what a host has forbidden stays forbidden.
    private final Map<String, Gathering> gatherings = new ConcurrentHashMap<>();
    private final Map<String, Thread> pollers = new ConcurrentHashMap<>();
    private volatile @Nullable Publisher publisher;
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
        this.watch = new Watch(meters);
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
            share = new VenueShare(bootstrapServers, new Share());
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

    /** Starts and stops pollers as venues come and go. */
    private final class Share implements VenueShare.Listener {
        @Override
        public void given(List<ListedVenue> venues) {
            var before = CompletableFuture.supplyAsync(
                    () -> new Before(LastStatuses.read(bootstrapServers), LastProgress.read(bootstrapServers)),
                    task -> Thread.ofVirtual().start(task));
            for (ListedVenue venue : venues) {
                pollers.put(
                        venue.id(),
                        Thread.ofVirtual().name("poll-" + venue.id()).start(() -> poll(venue.id(), before)));
            }
            LOG.info("venues=given count={} polled={}", venues.size(), pollers.size());
        }

        @Override
        public void taken(List<ListedVenue> venues) {
            List<Thread> stopping = venues.stream()
                    .map(v -> pollers.remove(v.id()))
                    .filter(Objects::nonNull)
                    .toList();
            stopping.forEach(Thread::interrupt);
            try {
                for (Thread thread : stopping) {
                    thread.join(STOPPING);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            venues.forEach(v -> watch.gone(v.id()));
            LOG.info("venues=taken count={} polled={}", venues.size(), pollers.size());
        }
    }

    /** What earlier processes left. */
    private record Before(Map<String, VenueStatus> statuses, Map<String, List<HistoryProgress>> progress) {}

    private void poll(String id, CompletableFuture<Before> earlier) {
        Publisher to = publisher;
        if (to == null) {
            return;
        }
        Venue venue = Registry.find(id);
        if (venue == null || !settings.wants(id)) {
            to.publish(
                    List.of(),
                    notPolled(id, venue == null ? "no reader in this release" : "not observed by this installation"));
            return;
        }
        Before before = earlier.join();
        Gathering gathering = gatherings.computeIfAbsent(id, v -> gathering(venue));
        new VenuePoller(
                        venue,
                        observed.source(),
                        board,
                        gathering,
                        Time.real(clock),
                        settings.pollInterval(),
                        ThreadLocalRandom.current(),
                        before.statuses().get(id),
                        history(venue, gathering, before.progress().getOrDefault(id, List.of()), to),
                        report -> watch.seen(report, to.publish(report.quotes(), report.status()), gathering.barred()))
                .run();
    }

    /** What the venue publishes about its settlements; null when it publishes none, and for recordings, which have no past of their own. */
    private @Nullable SettledHistory history(
            Venue venue, Gathering gathering, List<HistoryProgress> before, Publisher to) {
        if (venue.header().history() == null || observed.source() == Source.REPLAY) {
            return null;
        }
        return new SettledHistory(
                venue, gathering, Time.real(clock), ThreadLocalRandom.current(), before, new SettledHistory.Sink() {
                    @Override
                    public boolean publish(List<SettledRate> settled) {
                        boolean taken = to.publishSettled(settled);
                        watch.settled(venue.header().id(), taken ? settled.size() : 0);
                        return taken;
                    }

                    @Override
                    public void publish(HistoryProgress progress) {
                        to.publishProgress(progress);
                    }
                });
    }

    private VenueStatus notPolled(String id, String reason) {
        return new VenueStatus(id, observed.source(), null, false, null, null, null, null, reason, null, Map.of());
    }

    private Gathering gathering(Venue venue) {
        ExchangesOverHttp http = exchanges;
        return switch (observed) {
            case Observed.Replay(Path folder) -> new RecordedGathering(venue, folder, Time.real(clock));
            case Observed.Live live -> asking(venue, http);
            case Observed.Simulated simulated -> asking(venue, http);
        };
    }

    private Gathering asking(Venue venue, @Nullable ExchangesOverHttp http) {
        return new AskingGathering(venue, Objects.requireNonNull(http), Time.real(clock), new Random());
    }

    /** How it is doing, for health checks. */
    public Health health() {
        Publisher to = publisher;
        VenueShare of = share;
        Watch.State state = watch.state();
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
        return Set.copyOf(pollers.keySet());
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
            pollers.values().forEach(Thread::interrupt);
            if (publisher != null) {
                publisher.close();
            }
            if (exchanges != null) {
                exchanges.close();
            }
        }
    }
}
