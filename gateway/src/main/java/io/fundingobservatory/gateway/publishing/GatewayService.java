package io.fundingobservatory.gateway.publishing;

import io.fundingobservatory.gateway.core.snapshot.CurrentSnapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.topics.ListedVenue;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the current snapshot. It follows rates and pairs on a thread each. Another thread publishes at every snapshot interval, and the first
 * snapshot as soon as it is complete. A request reads {@link #current()} and nothing else.
 */
public final class GatewayService implements CurrentSnapshot, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayService.class);

    /** For all threads together: an orchestrator kills 10 s after its signal to stop, and connections are drained before this. */
    private static final Duration JOIN_WITHIN = Duration.ofSeconds(3);

    /** Before the first snapshot, what it waits for is looked at this often. */
    private static final long FIRST_LIST_PAUSE_MS = 100;

    /** The records of a poll are in memory at once, unpacked. A pair table is up to 8 MB; those of the largest assets are some 0.5 MB. */
    private static final int PAIR_TABLES_OF_A_POLL = 8;

    private static final int ROWS_OF_A_POLL = 500;

    private final Tables tables = new Tables(this::countPoison);
    private final AtomicLong poison = new AtomicLong();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CompletableFuture<FirstSnapshot> firstList = new CompletableFuture<>();
    private final TableFollower follower;
    private final TableFollower pairFollower;
    private final StreamsProgress progress;
    private final SnapshotPublisher snapshots;
    private final InstantSource clock;
    private final RowAges rowAges;
    private final Counter published;
    private volatile @Nullable Snapshot current;
    private final LoggedOnce failures = new LoggedOnce(LOG);
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    /**
     * A broker that starts in the process of the gateway. The gateway connects to it once it listens.
     *
     * @param listening completes when the broker listens
     */
    public record StartingBroker(CompletionStage<?> listening) {}

    /** The first complete snapshot: its rows, of all exchanges, and the exchanges with at least one. */
    public record FirstSnapshot(int rows, int venues) {}

    /** {@code meters} publishes what is measured of snapshots, and Kafka's own metrics. */
    public GatewayService(GatewaySettings settings, KafkaAccess kafka, InstantSource clock, MeterRegistry meters) {
        this.clock = clock;
        follower = new TableFollower(
                "observatory-gateway", "tables restored", tables.ofRates(), ROWS_OF_A_POLL, kafka, meters, closing);
        pairFollower = new TableFollower(
                "observatory-gateway-pairs",
                "pair tables restored",
                tables.ofPairs(),
                PAIR_TABLES_OF_A_POLL,
                kafka,
                meters,
                closing);
        progress = new StreamsProgress(kafka, follower::positions, clock);
        snapshots = new SnapshotPublisher(
                tables, clock, settings.generationInterval(), settings.firstListDeadline(), progress);
        rowAges = new RowAges(meters);
        gauge(meters, "rows", "rows of the snapshot that is served", () -> of(Snapshot::rows, 0));
        gauge(
                meters,
                "coverage",
                "exchanges with a row in the snapshot that is served",
                () -> of(Snapshot::coverage, 0));
        gauge(meters, "venues.open", "listed exchanges that have not closed", () -> ListedVenue.open(clock.millis()));
        gauge(
                meters,
                "snapshot.age.seconds",
                "seconds since the snapshot that is served was put together",
                () -> of(snapshot -> (clock.millis() - snapshot.generatedAtMs()) / 1_000.0, Double.NaN));
        published = Counter.builder("observatory.gateway.generations")
                .description("snapshots published")
                .register(meters);
        FunctionCounter.builder("observatory.gateway.unreadable.records", poison, AtomicLong::get)
                .description("records of the tables' topics that could not be read")
                .register(meters);
    }

    private static void gauge(MeterRegistry meters, String name, String description, Supplier<Number> value) {
        Gauge.builder("observatory.gateway." + name, value)
                .description(description)
                .register(meters);
    }

    private double of(ToDoubleFunction<Snapshot> value, double without) {
        Snapshot snapshot = current;
        return snapshot == null ? without : value.applyAsDouble(snapshot);
    }

    /** Begins to follow the tables; returns at once. Does nothing once it is closed: its broker may have started too late. */
    public synchronized void start() {
        if (closing.getCount() == 0) {
            return;
        }
        if (!threads.isEmpty()) {
            throw new IllegalStateException("the gateway is started once");
        }
        start("tables", follower);
        start("publisher", this::publishSnapshots);
    }

    private void start(String name, Runnable task) {
        threads.add(Thread.ofPlatform().daemon().name("gateway-" + name).start(task));
    }

    private void publishSnapshots() {
        try (progress) {
            while (closing.getCount() > 0) {
                publishNext();
                long nowMs = clock.millis();
                long pauseMs = current == null ? FIRST_LIST_PAUSE_MS : snapshots.after(nowMs) - nowMs;
                closing.await(pauseMs, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void publishNext() {
        Snapshot last = current;
        try {
            if (last != null) {
                snapshots.rank(pairFollower.state());
            }
            Snapshot next = snapshots.next(follower.state() == TableFollower.State.OPEN, last);
            if (next != null && next != last) {
                publish(next);
            }
            failures.overIfFailed("snapshots are published again");
        } catch (RuntimeException e) {
            // The last list is served on.
            failures.warn("no new snapshot", e);
        }
    }

    @Override
    public @Nullable Snapshot current() {
        return current;
    }

    @Override
    public String waitingFor() {
        return follower.state() != TableFollower.State.OPEN ? "the tables are not read yet" : snapshots.waitingFor();
    }

    public CompletableFuture<FirstSnapshot> firstList() {
        return firstList.copy();
    }

    /** Records of the tables' topics that could not be read. */
    public long poison() {
        return poison.get();
    }

    /** Threads that ended while the service runs; only a new process starts them again. */
    public List<String> deadThreads() {
        return closing.getCount() == 0
                ? List.of()
                : threads.stream()
                        .filter(thread -> !thread.isAlive())
                        .map(Thread::getName)
                        .toList();
    }

    private void publish(Snapshot next) {
        Snapshot former = current;
        current = next;
        if (former != null) {
            former.retire(next);
        }
        published.increment();
        rowAges.published(next);
        if (firstList.complete(new FirstSnapshot(next.rows(), next.coverage()))) {
            LOG.info("first snapshot is complete rows={} venues={}", next.rows(), next.coverage());
            progress.close();
            // Building that snapshot took all processors.
            start("pairs", pairFollower);
        }
    }

    private void countPoison(String topic) {
        long sum = poison.incrementAndGet();
        // Few lines however many records: at 1, 2, 4, 8, …
        if (Long.bitCount(sum) == 1) {
            LOG.warn("unreadable record left out topic={} so_far={}", topic, sum);
        }
    }

    @Override
    public synchronized void close() {
        closing.countDown();
        threads.forEach(Thread::interrupt);
        long endNs = System.nanoTime() + JOIN_WITHIN.toNanos();
        try {
            for (Thread thread : threads) {
                thread.join(Duration.ofNanos(Math.max(TimeUnit.MILLISECONDS.toNanos(1), endNs - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Measures how old the newest row of each venue is in the first snapshot that has it. One thread uses it. */
    static final class RowAges {
        private final DistributionSummary ages;
        private Map<String, Long> observedMs = Map.of();

        RowAges(MeterRegistry meters) {
            ages = DistributionSummary.builder("observatory.gateway.row.age")
                    .description("age of the newest row of a venue in the first snapshot that has it")
                    .baseUnit("seconds")
                    .serviceLevelObjectives(5, 10, 15, 20, 30, 45, 60, 90, 120, 180)
                    .register(meters);
        }

        /** Takes a snapshot that is served from now on. Rows of the first one are of any age, and not measured. */
        void published(Snapshot next) {
            Map<String, Long> before = observedMs;
            observedMs = next.newestObservations();
            observedMs.forEach((venue, ms) -> {
                if (before.getOrDefault(venue, Long.MAX_VALUE) < ms) {
                    ages.record((next.generatedAtMs() - ms) / 1_000.0);
                }
            });
        }
    }
}
