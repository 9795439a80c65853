package io.fundingobservatory.ingest;

import io.fundingobservatory.ingest.client.HttpTransport;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.client.VenueHttpClient;
import io.fundingobservatory.ingest.publish.Publisher;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.topics.ListedVenue;
import io.micrometer.core.instrument.binder.kafka.KafkaClientMetrics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Polls the exchanges that are assigned to this process and publishes what they respond. */
public final class IngestService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IngestService.class);
    private static final Duration BROKER_RETRY = Duration.ofSeconds(1);

    private record Running(
            KafkaClientMetrics producerMeters, Publisher publisher, VenuePollers pollers, VenueAssignment assignment) {}

    private final IngestSettings settings;
    private final KafkaAccess kafka;
    private final BrokerReadiness brokers;
    private final InstantSource clock;
    private final HttpTransport http;
    private final IngestMetrics metrics;
    private final SourceSetting observed;
    private volatile @Nullable Running running;
    private final CompletableFuture<String> failure = new CompletableFuture<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** A service that has not started; it closes {@code http}. */
    public IngestService(
            IngestSettings settings,
            KafkaAccess kafka,
            InstantSource clock,
            IngestMetrics metrics,
            HttpTransport http) {
        this.http = http;
        this.settings = settings;
        this.kafka = kafka;
        this.brokers = new BrokerReadiness(kafka);
        this.clock = clock;
        this.metrics = metrics;
        this.observed = SourceSetting.parse(settings.exchanges());
    }

    /**
     * Starts polling; returns when the topics are there and the consumer of the group has been started. {@link #failure()} completes with
     * what prevents polling for good.
     */
    public void start() throws InterruptedException {
        try {
            awaitBrokers();
        } catch (BrokerReadiness.StartRefused e) {
            fail(String.valueOf(e.getMessage()));
            return;
        }
        synchronized (this) {
            if (isClosed()) {
                return;
            }
            VenueHttpClient exchanges = switch (observed) {
                case SourceSetting.Live() -> VenueHttpClient.live(http, clock);
                case SourceSetting.Simulated(String base) -> VenueHttpClient.inPlaceOfThem(http, base, clock);
                case SourceSetting.Replay(Path folder) -> null;
            };
            var producer = Publisher.producer(kafka);
            var publisher = new Publisher(producer, clock, metrics, this::fail);
            var pollers = new VenuePollers(
                    settings,
                    observed,
                    exchanges,
                    publisher,
                    () -> EarlierState.read(kafka),
                    Time.real(clock),
                    metrics);
            metrics.start(pollers.longestSilence());
            var assignment = new VenueAssignment(
                    VenueAssignment.member(kafka, settings.region()), pollers::given, pollers::taken, this::fail);
            running = new Running(metrics.bind(producer), publisher, pollers, assignment);
            assignment.start();
        }
        LOG.info(
                "ingest has started source={} readers={} listed={}",
                observed.source(),
                Registry.all().size(),
                ListedVenue.ALL.size());
    }

    private void awaitBrokers() throws InterruptedException {
        String logged = "";
        do {
            String waitingFor = brokers.waitingFor(observed.source());
            if (waitingFor == null) {
                return;
            }
            if (!waitingFor.equals(logged)) {
                logged = waitingFor;
                LOG.info("waiting for brokers bootstrap_servers={} for=\"{}\"", kafka.bootstrapServers(), waitingFor);
            }
        } while (!closed.await(BROKER_RETRY.toMillis(), TimeUnit.MILLISECONDS));
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Without its topics, its producer or its group nothing is polled any more; a new process can do what this one cannot. */
    void fail(String line) {
        if (!isClosed() && failure.complete(line)) {
            LOG.error("ingest failed reason=\"{}\"", line);
        }
    }

    /** Completes with the reason in one line when the service has given up; never while it works or when it is closed. */
    public CompletionStage<String> failure() {
        return failure.minimalCompletionStage();
    }

    public Health health() {
        Running now = running;
        return new Health(
                now != null,
                now != null && now.publisher().isReachable(),
                now == null ? null : now.publisher().clockProblem(),
                metrics.polled(),
                metrics.failing(),
                now == null ? Set.of() : now.pollers().silent());
    }

    /**
     * How the service is doing.
     *
     * @param started whether the topics are there and polling has begun
     * @param clockProblem why nothing is published although brokers acknowledge; null when the clock is right
     * @param failing polled venues that brought no row last time
     * @param silent venues that should be polled here and have not been for three intervals
     */
    public record Health(
            boolean started,
            boolean brokerReachable,
            @Nullable String clockProblem,
            int polled,
            int failing,
            Set<String> silent) {
        public Health {
            silent = Set.copyOf(silent);
        }

        /** Whether it does its work. Some failing venues are normal; if all fail, no venue can be reached from here. */
        public boolean isUp() {
            return started && brokerReachable && clockProblem == null && silent.isEmpty() && !allFail();
        }

        /** Whether no venue of this process had a row in its last poll. */
        boolean allFail() {
            return polled > 0 && failing == polled;
        }
    }

    /** The assigned venues: each is polled here, or this process publishes why it is not. */
    Set<String> venues() {
        Running now = running;
        return now == null ? Set.of() : now.pollers().venues();
    }

    /** Leaves the group, stops polling and waits a few seconds for what is on its way to Kafka. */
    @Override
    public void close() {
        closed.countDown();
        synchronized (this) {
            Running now = running;
            if (now != null) {
                now.assignment().close();
                now.pollers().interrupt();
                now.producerMeters().close();
                now.publisher().close();
            }
            http.close();
        }
    }
}
