package io.fundingobservatory.streams.lifecycle;

import io.fundingobservatory.runtime.InnermostCause;
import io.fundingobservatory.streams.processing.StreamsMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One application with its Kafka Streams clients, one after the other on a thread of its own. After a thread of a client has died, the
 * next client starts under the same ids, after a growing pause. A replaced thread would be a new static member, and the
 * dead one would keep its partitions until its session ends.
 */
public final class RunningApplication implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunningApplication.class);
    private static final Duration STOPPING = Duration.ofSeconds(20);

    /** A commit of offsets of a deleted topic waits up to 60 s, and a consumer up to 30 s to leave its group. */
    private static final Duration SHUTS_DOWN = Duration.ofSeconds(100);

    /** Beyond so many deaths the cause is one that another client does not repair. */
    private static final int DEATHS = 5;

    private static final Duration WITHIN = Duration.ofMinutes(10);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    private final Application application;
    private final Brokers brokers;
    private final Path stateDir;
    private final Time time;
    private final StreamsMetrics metrics;
    private final MeterRegistry registry;
    private final Consumer<String> failed;
    private final Consumer<String> lost;
    private final Deque<Long> deathsNs = new ArrayDeque<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile @Nullable KafkaStreams streams;

    /**
     * One that is not started.
     *
     * @param time never jumps
     * @param registry receives Kafka's own metrics of the running client
     * @param failed receives one line when the application cannot go on
     * @param lost receives one line when the brokers do not have its state any more: {@link LostState}
     */
    public RunningApplication(
            Application application,
            Brokers brokers,
            Path stateDir,
            Time time,
            StreamsMetrics metrics,
            MeterRegistry registry,
            Consumer<String> failed,
            Consumer<String> lost) {
        this.application = application;
        this.brokers = brokers;
        this.stateDir = stateDir;
        this.time = time;
        this.metrics = metrics;
        this.registry = registry;
        this.failed = failed;
        this.lost = lost;
    }

    /** Runs clients until it is closed or cannot go on. */
    public void start(Properties config, Function<Properties, Topology> topology) {
        Thread.ofPlatform().name(application.id()).daemon().start(() -> run(config, topology));
    }

    private void run(Properties config, Function<Properties, Topology> topology) {
        Throwable death = null;
        boolean cleaned = false;
        try {
            while (!isClosed()) {
                List<String> missing = brokers.lostState(application);
                if (!missing.isEmpty()) {
                    lost.accept("state is lost: " + missing + " of " + application.id()
                            + " are missing although the group has offsets; stop all instances, run `observatory reset "
                            + application.reset() + "`, start them");
                    return;
                }
                boolean damaged = !cleaned && death != null && LocalStores.areDamaged(death);
                cleaned |= damaged;
                death = runClient(config, topology.apply(config), damaged);
                if (death != null && !isClosed() && !survives(death)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (StartFailure e) {
            fail(e.reason());
        } catch (ExecutionException | RuntimeException e) {
            fail(InnermostCause.typed(e));
        }
    }

    /**
     * Runs one client until it has ended; returns why a thread of it died, or null when it was closed.
     *
     * @param damaged whether local stores cannot be read
     */
    private @Nullable Throwable runClient(Properties config, Topology topology, boolean damaged)
            throws InterruptedException, ExecutionException {
        LocalStores.requireRoom(stateDir);
        boolean cleans = damaged || hasForeignStores();
        var death = new CompletableFuture<Throwable>();
        var running = new CompletableFuture<Void>();
        var ended = new CompletableFuture<Void>();
        var client = new KafkaStreams(topology, config, new OneAbortClients(), time);
        client.setUncaughtExceptionHandler(failure -> {
            death.complete(failure);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        client.setGlobalStateRestoreListener(new RestoredRecords(metrics));
        client.setStateListener((now, before) -> {
            LOG.info(
                    "application has changed its state application={} state={} before={}",
                    application.id(),
                    now,
                    before);
            if (now == KafkaStreams.State.RUNNING) {
                running.complete(null);
            }
            if (now == KafkaStreams.State.ERROR || now == KafkaStreams.State.NOT_RUNNING) {
                ended.complete(null);
            }
        });
        if (cleans) {
            LOG.warn(
                    "local stores {}; they are removed and restored application={}",
                    damaged ? "cannot be read" : "are not of the present changelogs",
                    application.id());
        }
        synchronized (this) {
            if (isClosed()) {
                client.close(STOPPING);
                return null;
            }
            streams = client;
        }
        try {
            if (cleans) {
                client.cleanUp();
            }
            client.start();
        } catch (StreamsException e) {
            client.close(STOPPING);
            return e;
        }
        // The next client has the same ids: meters that stay would report the former client.
        try (var meters = new KafkaStreamsMetrics(client)) {
            meters.bindTo(registry);
            CompletableFuture.anyOf(running, death, ended).get();
            if (running.isDone()) {
                noteChangelogs();
            }
            CompletableFuture.anyOf(death, ended).get();
            // A shutdown was seen to get stuck: without a descriptor for a store, and without the thread that restores.
            ended.get(SHUTS_DOWN.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new StartFailure("a thread died, and the client has not shut down within " + SHUTS_DOWN.toSeconds()
                    + " s: " + InnermostCause.typed(death.join()));
        }
        return death.getNow(null);
    }

    /** Checked before the client makes the directory: Kafka Streams warns where there is nothing to remove. */
    private boolean hasForeignStores() throws InterruptedException {
        return Files.exists(stateDir.resolve(application.id()))
                && !LocalStores.belongTo(stateDir, application, brokers.changelogs(application));
    }

    /** Changelogs exist as soon as the client runs. */
    private void noteChangelogs() throws InterruptedException {
        try {
            LocalStores.note(stateDir, application, brokers.changelogs(application));
        } catch (StartFailure e) {
            LOG.warn("changelogs of local stores are not noted cause={}", e.getMessage());
        }
    }

    /** Whether another client starts after a death; returns when its pause is over. */
    private boolean survives(Throwable death) throws InterruptedException {
        String cause = InnermostCause.typed(death);
        if (contains(death, FencedInstanceIdException.class)) {
            fail("another process runs under the same observatory.streams.instance-id: " + cause);
            return false;
        }
        if (contains(death, MissingSourceTopicException.class)
                || contains(death, UnknownTopicOrPartitionException.class)) {
            List<String> missing = brokers.missingTopics();
            if (!missing.isEmpty()) { // else a changelog is: the next client does not start without it
                fail("topics " + missing + " are missing (" + cause
                        + "); run `observatory topics --create`, then start");
                return false;
            }
        }
        long nowNs = System.nanoTime();
        deathsNs.addLast(nowNs);
        while (nowNs - deathsNs.getFirst() > WITHIN.toNanos()) {
            deathsNs.removeFirst();
        }
        if (deathsNs.size() >= DEATHS) {
            fail("stream threads died " + deathsNs.size() + " times within " + WITHIN.toMinutes()
                    + " minutes, last of: " + cause);
            return false;
        }
        Duration pause = FIRST_PAUSE.multipliedBy(1L << (deathsNs.size() - 1));
        LOG.warn(
                "stream thread died application={} count={} pause_s={} cause={}; the client is started again",
                application.id(),
                deathsNs.size(),
                pause.toSeconds(),
                cause);
        return !closing.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static boolean contains(Throwable death, Class<? extends Throwable> kind) {
        return Stream.iterate(death, Objects::nonNull, Throwable::getCause).anyMatch(kind::isInstance);
    }

    private void fail(String reason) {
        if (!isClosed()) {
            failed.accept(reason);
        }
    }

    private boolean isClosed() {
        return closing.getCount() == 0;
    }

    /** Whether every partition that belongs to this process is being processed. */
    public boolean isRunning() {
        KafkaStreams client = streams;
        return client != null && client.state() == KafkaStreams.State.RUNNING;
    }

    /** In a few words what it does. */
    public String state() {
        KafkaStreams client = streams;
        return client == null ? "is being prepared" : client.state().name();
    }

    /** Commits and stops. The place in the group is kept, so that a restart finds its partitions as they were. */
    @Override
    public void close() {
        closing.countDown();
        KafkaStreams client;
        synchronized (this) {
            client = streams;
        }
        if (client != null) {
            client.close(STOPPING);
        }
    }

    private record RestoredRecords(StreamsMetrics metrics) implements StateRestoreListener {
        @Override
        public void onRestoreStart(TopicPartition changelog, String store, long fromOffset, long toOffset) {}

        @Override
        public void onBatchRestored(TopicPartition changelog, String store, long offset, long records) {
            metrics.restored(store, records);
        }

        @Override
        public void onRestoreEnd(TopicPartition changelog, String store, long records) {}
    }
}
