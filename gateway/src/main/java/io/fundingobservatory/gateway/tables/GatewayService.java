package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.gateway.core.Coding;
import io.fundingobservatory.gateway.core.Snapshot;
import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.fundingobservatory.topics.KafkaAccess;
import io.fundingobservatory.topics.TopicCreation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the current snapshot: follows the tables on one thread, publishes on another. A request reads {@link #current()} and
 * nothing else.
 */
public final class GatewayService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayService.class);
    private static final long TRY_AGAIN_MS = 1_000;
    private static final long JOIN_MS = 10_000;

    private final GatewaySettings settings;
    private final KafkaAccess kafka;
    private final InstantSource clock;
    private final Changes changes = new Changes();
    private final LongAdder poison = new LongAdder();
    private final LongAdder generations = new LongAdder();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CompletableFuture<FirstList> firstList = new CompletableFuture<>();
    private volatile @Nullable Tables tables;
    private volatile @Nullable Snapshot current;
    private @Nullable Thread follower;
    private @Nullable Thread publisher;
    private @Nullable Thread packer;

    public GatewayService(GatewaySettings settings, KafkaAccess kafka, InstantSource clock) {
        this.settings = settings;
        this.kafka = kafka;
        this.clock = clock;
    }

    /** Begins to follow the tables; returns at once. */
    public synchronized void start() {
        if (follower != null) {
            throw new IllegalStateException("the gateway is started once");
        }
        follower = Thread.ofPlatform().daemon().name("gateway-tables").start(this::follow);
        publisher = Thread.ofPlatform().daemon().name("gateway-publisher").start(this::publish);
        packer = Thread.ofPlatform().daemon().name("gateway-packer").start(this::pack);
    }

    /** What is served now; null until the first complete list. */
    public @Nullable Snapshot current() {
        return current;
    }

    /** Completes when the first complete list is there. */
    public CompletableFuture<FirstList> firstList() {
        return firstList.copy();
    }

    /** Records of the tables' topics that could not be read. */
    public long poison() {
        return poison.sum();
    }

    /** Snapshots published so far. */
    public long generations() {
        return generations.sum();
    }

    private void follow() {
        try {
            Path state = Files.createTempDirectory("observatory-gateway-");
            try {
                awaitTopics();
                while (running()) {
                    followOnce(state);
                }
            } finally {
                delete(state);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException("no directory for temporary files can be made", e);
        }
    }

    private void awaitTopics() throws InterruptedException {
        String said = "";
        while (running()) {
            String waitingFor = topicsNotReady();
            if (waitingFor == null) {
                return;
            }
            if (!waitingFor.equals(said)) {
                LOG.info("waiting bootstrap_servers={} for=\"{}\"", kafka.bootstrapServers(), waitingFor);
                said = waitingFor;
            }
            closing.await(TRY_AGAIN_MS, TimeUnit.MILLISECONDS);
        }
    }

    /** What the tables still lack, in one line; null when their topics can be read. */
    private @Nullable String topicsNotReady() throws InterruptedException {
        Map<String, Object> config = kafka.client(Map.of(
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000));
        try (Admin admin = Admin.create(config)) {
            TopicCreation.Outcome topics = TopicCreation.ensure(admin, kafka.replicationFactor());
            topics.differing().forEach((topic, how) -> LOG.warn("topic={} differs=\"{}\"", topic, how));
            List<String> missing = topics.missing(Tables.TOPICS);
            return missing.isEmpty() ? null : "topics " + missing + ", which this role may not create or not see";
        } catch (ExecutionException e) {
            return "the broker: " + cause(e);
        } catch (KafkaException e) {
            // for example: no host of the bootstrap servers has an address yet
            return "the broker: " + (e.getCause() == null ? e : e.getCause()).getMessage();
        }
    }

    private void followOnce(Path state) throws InterruptedException {
        try (Tables open = Tables.open(kafka, state, changes, this::countPoison)) {
            tables = open;
            changes.statuses();
            LOG.info("tables restored");
            while (running() && !open.failed()) {
                closing.await(TRY_AGAIN_MS, TimeUnit.MILLISECONDS);
            }
            tables = null;
        } catch (RuntimeException e) {
            tables = null;
            LOG.warn("tables could not be opened, trying again cause={}", e.toString());
            closing.await(TRY_AGAIN_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void countPoison(String topic) {
        poison.increment();
        // Few lines however many records: at 1, 2, 4, 8, …
        if (Long.bitCount(poison.sum()) == 1) {
            LOG.warn("unreadable record left out topic={} so_far={}", topic, poison.sum());
        }
    }

    private void publish() {
        var snapshots = new SnapshotPublisher(
                changes, clock, clock.millis() + settings.firstListDeadline().toMillis());
        try {
            while (running()) {
                // Before the first list the deadline is looked at as well.
                changes.await(
                        current == null
                                ? TRY_AGAIN_MS
                                : settings.longestGeneration().toMillis());
                publishOnce(snapshots);
                closing.await(settings.shortestGeneration().toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void publishOnce(SnapshotPublisher snapshots) {
        try {
            Snapshot next = snapshots.next(tables, current);
            if (next == null) {
                return;
            }
            if (next != current) {
                generations.increment();
            }
            current = next;
            if (firstList.complete(new FirstList(next.rows(), next.coverage()))) {
                LOG.info("first complete list rows={} venues={}", next.rows(), next.coverage());
            }
        } catch (RuntimeException e) {
            // Tables that are being closed refuse to be read. The last list is served on.
            LOG.warn("no new snapshot cause={}", e.toString());
        }
    }

    /** Adds the codings that take too long to wait for; until they are there, clients get the others. */
    private void pack() {
        Map<Coding, Snapshot.Packer> packers = Compressors.available();
        Snapshot packed = null;
        try {
            while (running()) {
                Snapshot snapshot = current;
                if (snapshot != null && snapshot != packed) {
                    packers.forEach(snapshot::pack);
                    packed = snapshot;
                }
                closing.await(settings.shortestPacking().toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean running() {
        return closing.getCount() > 0;
    }

    private static String cause(ExecutionException e) {
        Throwable cause = e.getCause();
        return cause == null ? e.toString() : cause.toString();
    }

    private static void delete(Path directory) throws IOException {
        try (var paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    /** Stops the threads and leaves nothing behind. */
    @Override
    public synchronized void close() {
        closing.countDown();
        changes.statuses();
        join(publisher);
        join(follower);
        join(packer);
    }

    private static void join(@Nullable Thread thread) {
        if (thread == null) {
            return;
        }
        try {
            thread.join(JOIN_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
