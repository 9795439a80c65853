package io.fundingobservatory.streams.client;

import io.fundingobservatory.runtime.InnermostCause;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.streams.core.Application;
import io.fundingobservatory.streams.core.StreamsMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One application with its Kafka Streams client. After a thread has died, the client is closed and another one
 * starts under the same ids ({@link ClientRestarts}).
 */
public final class RunningApplication implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunningApplication.class);
    private static final Duration STOPPING = Duration.ofSeconds(20);

    /**
     * A commit of offsets of a deleted topic waits up to 60 s. A consumer takes up to 30 s to leave a group whose
     * broker is away.
     */
    private static final Duration SHUTS_DOWN = Duration.ofSeconds(100);

    private final Application application;
    private final KafkaAccess kafka;
    private final Path stateDir;
    private final Time time;
    private final StreamsMetrics metrics;
    private final Consumer<String> failed;
    private final ClientRestarts restarts;
    private @Nullable Properties config;
    private @Nullable Function<Properties, Topology> topology;
    private @Nullable MeterRegistry registry;
    private @Nullable KafkaStreamsMetrics clientMeters;
    private volatile boolean closed;
    private volatile @Nullable KafkaStreams streams;

    /** {@code time} never jumps; {@code failed} receives one line when the application cannot go on. */
    public RunningApplication(
            Application application,
            KafkaAccess kafka,
            Path stateDir,
            Time time,
            StreamsMetrics metrics,
            Consumer<String> failed) {
        this.application = application;
        this.kafka = kafka;
        this.stateDir = stateDir;
        this.time = time;
        this.metrics = metrics;
        this.failed = failed;
        this.restarts = new ClientRestarts(time::milliseconds, failed);
    }

    /** Publishes Kafka's own metrics of each client that starts from now on. */
    public synchronized void bindTo(MeterRegistry registry) {
        this.registry = registry;
    }

    /**
     * Starts the first client.
     *
     * @param fromEmptyStores whether the local stores are of no use
     */
    public synchronized void start(
            Properties config, Function<Properties, Topology> topology, boolean fromEmptyStores) {
        this.config = config;
        this.topology = topology;
        run(fromEmptyStores);
    }

    private synchronized void run(boolean fromEmptyStores) {
        Properties config = this.config;
        Function<Properties, Topology> topology = this.topology;
        if (closed || config == null || topology == null) {
            return;
        }
        closeMeters();
        LocalStores.requireRoom(stateDir);
        // Checked before the client makes the directory: Kafka Streams warns where there is nothing to remove.
        boolean removes = fromEmptyStores && Files.exists(stateDir.resolve(application.id()));
        var client = new KafkaStreams(topology.apply(config), config, new OneAbort(), time);
        var changelogsNoted = new AtomicBoolean();
        client.setUncaughtExceptionHandler(restarts);
        client.setGlobalStateRestoreListener(new RestoredRecords(metrics));
        var shutdown = new CompletableFuture<Void>();
        client.setStateListener((now, before) -> {
            LOG.info(
                    "application has changed its state application={} state={} before={}",
                    application.id(),
                    now,
                    before);
            if (now == KafkaStreams.State.RUNNING && changelogsNoted.compareAndSet(false, true)) {
                Thread.ofVirtual().name("streams-changelogs").start(this::noteChangelogs);
            }
            if (now == KafkaStreams.State.PENDING_ERROR) {
                // Not on the thread that reports it: that one is part of what has to end first.
                Thread.ofPlatform().name("streams-restart").daemon().start(() -> restart(shutdown));
            } else if (before == KafkaStreams.State.PENDING_ERROR) {
                // Kafka Streams reports it as the last step of a shutdown.
                shutdown.complete(null);
            }
        });
        streams = client;
        if (removes) {
            client.cleanUp();
        }
        restarts.started();
        try {
            client.start();
        } catch (StreamsException e) {
            if (fromEmptyStores || !LocalStores.areDamaged(e)) {
                throw e;
            }
            client.close(STOPPING);
            runWithoutDamaged(InnermostCause.typed(e));
            return;
        }
        if (registry != null) {
            clientMeters = new KafkaStreamsMetrics(client);
            clientMeters.bindTo(registry);
        }
    }

    /** Kafka Streams restores no store that it cannot open. */
    private synchronized void runWithoutDamaged(String cause) {
        LOG.warn(
                "local stores cannot be read; they are removed and restored application={} cause={}",
                application.id(),
                cause);
        run(true);
    }

    /** The next client has the same ids: meters that stay would report the former client. */
    private void closeMeters() {
        if (clientMeters != null) {
            clientMeters.close();
            clientMeters = null;
        }
    }

    /** Changelogs exist as soon as the client runs. They are noted once for each client: a changelog that is replaced later is not that of its stores. */
    private void noteChangelogs() {
        try (var brokers = new Brokers(kafka, () -> closed)) {
            LocalStores.note(stateDir, application, brokers.changelogs(application));
        } catch (StartFailure e) {
            LOG.warn("changelogs of local stores are not noted cause={}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Brokers and topics first. A thread with an open transaction ends when brokers respond, and one with records for a
     * deleted topic when that exists again.
     *
     * @param shutdown completes when the client with the dead thread has closed
     */
    private void restart(CompletableFuture<Void> shutdown) {
        try (var brokers = new Brokers(kafka, () -> closed)) {
            brokers.prepareTopicsAgain();
            // A shutdown was seen to get stuck: without a descriptor for a store, and without the thread that restores.
            shutdown.get(SHUTS_DOWN.toSeconds(), TimeUnit.SECONDS);
            if (restarts.lacksTopics()) {
                brokers.prepareTopicsAgain();
                brokers.leave(application.id(), members());
            }
            if (restarts.startsAgain()) {
                String damage = restarts.damage();
                if (damage == null) {
                    run(false);
                } else {
                    runWithoutDamaged(damage);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            fail("a thread died, and the client has not shut down within " + SHUTS_DOWN.toSeconds() + " s");
        } catch (StartFailure e) {
            fail(e.reason());
        } catch (ExecutionException | RuntimeException e) {
            fail(InnermostCause.typed(e));
        }
    }

    private void fail(String reason) {
        if (!closed) {
            failed.accept(reason);
        }
    }

    /** The static ids of the threads; Kafka Streams numbers them from one. */
    private List<String> members() {
        Properties config = Objects.requireNonNull(this.config);
        Object instance = config.get(StreamsConfig.mainConsumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG));
        int threads = (int) Objects.requireNonNull(config.get(StreamsConfig.NUM_STREAM_THREADS_CONFIG));
        return IntStream.rangeClosed(1, threads)
                .mapToObj(thread -> instance + "-" + thread)
                .toList();
    }

    /** Whether every partition that belongs to this process is being processed. */
    public boolean isRunning() {
        KafkaStreams client = streams;
        return client != null && client.state() == KafkaStreams.State.RUNNING;
    }

    /** In a word what it does; null before the first client. */
    public @Nullable String state() {
        KafkaStreams client = streams;
        return client == null ? null : client.state().name();
    }

    /** Commits and stops. The place in the group is kept, so that a restart finds its partitions as they were. */
    @Override
    public void close() {
        closed = true;
        synchronized (this) {
            closeMeters();
            KafkaStreams client = streams;
            if (client != null) {
                client.close(STOPPING);
            }
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
