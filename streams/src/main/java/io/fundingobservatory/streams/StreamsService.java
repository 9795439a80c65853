package io.fundingobservatory.streams;

import io.fundingobservatory.streams.client.Brokers;
import io.fundingobservatory.streams.client.ClientRestarts;
import io.fundingobservatory.streams.client.LocalStores;
import io.fundingobservatory.streams.client.OneAbort;
import io.fundingobservatory.streams.client.RestoredRecords;
import io.fundingobservatory.streams.client.ShutdownDeadline;
import io.fundingobservatory.streams.client.StartFailure;
import io.fundingobservatory.streams.client.StoredChangelogs;
import io.fundingobservatory.streams.client.TopicsWatch;
import io.fundingobservatory.streams.clock.SteadyTime;
import io.fundingobservatory.streams.ledger.StreamsMetrics;
import io.fundingobservatory.streams.topology.RatesTopology;
import io.fundingobservatory.topics.OpenVenues;
import io.fundingobservatory.topics.kafka.KafkaAccess;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The topology, running: waits for the brokers, works until it is closed, and says in one line why it cannot. */
public final class StreamsService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StreamsService.class);
    private static final Duration STOPPING = Duration.ofSeconds(20);

    /** More than the 30 s that a consumer takes at most to leave a group whose broker is away. */
    private static final Duration SHUTS_DOWN = Duration.ofSeconds(40);

    private final StreamsSettings settings;
    private final KafkaAccess kafka;
    private final SteadyTime time;
    private final ClientRestarts restarts;
    private final StreamsMetrics metrics;
    private final CompletableFuture<String> failure = new CompletableFuture<>();
    private final AtomicBoolean failing = new AtomicBoolean();
    private volatile boolean closed;
    private volatile short copies = 1;
    private volatile Brokers.Ledger ledger = Brokers.Ledger.UNKNOWN;
    private volatile @Nullable KafkaStreams streams;
    private volatile @Nullable TopicsWatch topics;

    public StreamsService(StreamsSettings settings, KafkaAccess kafka, InstantSource clock, StreamsMetrics metrics) {
        this.settings = settings;
        this.kafka = kafka;
        this.time = new SteadyTime(clock);
        this.restarts = new ClientRestarts(time::milliseconds, this::fail);
        this.metrics = metrics;
    }

    /** How the topics come to be there before anything reads them. */
    @FunctionalInterface
    private interface TopicsPrepared {
        void by(Brokers brokers) throws InterruptedException;
    }

    /** Waits for the brokers, then starts the topology and returns. What prevents it ends up in {@link #failure()}. */
    public void start() {
        start(Brokers::prepareTopics);
    }

    private void start(TopicsPrepared topicsPrepared) {
        try (var brokers = new Brokers(kafka, () -> closed)) {
            topicsPrepared.by(brokers);
            brokers.requireTransactionsV2();
            copies = brokers.copies();
            boolean fromEmptyStores = brokers.prepareStores(StreamsConfiguration.APPLICATION_ID);
            if (StoredChangelogs.areOfOthers(
                    Path.of(settings.stateDir()), brokers.changelogs(StreamsConfiguration.APPLICATION_ID))) {
                LOG.warn("local stores are of former changelogs; they are removed and restored");
                fromEmptyStores = true;
            }
            ledger = brokers.ledger(StreamsConfiguration.APPLICATION_ID);
            run(fromEmptyStores);
        } catch (StartFailure e) {
            if (!closed) {
                fail(String.valueOf(e.getMessage()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            fail(e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    private synchronized void run(boolean fromEmptyStores) {
        if (closed) {
            return;
        }
        LocalStores.requireRoom(Path.of(settings.stateDir()));
        var config = StreamsConfiguration.of(settings, kafka, copies, ledger.isRead());
        var topology = RatesTopology.draw(config, time::milliseconds, metrics, ledger.ends(), OpenVenues.LISTED);
        var client = new KafkaStreams(topology, config, new OneAbort(), time);
        var changelogsNoted = new AtomicBoolean();
        client.setUncaughtExceptionHandler(restarts);
        client.setGlobalStateRestoreListener(new RestoredRecords(metrics));
        var shutdown = new ShutdownDeadline(SHUTS_DOWN, this::stuck);
        client.setStateListener((now, before) -> {
            LOG.info("streams state={} before={}", now, before);
            if (now == KafkaStreams.State.RUNNING && changelogsNoted.compareAndSet(false, true)) {
                Thread.ofVirtual().name("streams-changelogs").start(this::noteChangelogs);
            }
            if (now == KafkaStreams.State.PENDING_ERROR) {
                shutdown.begin();
            } else if (before == KafkaStreams.State.PENDING_ERROR) {
                shutdown.end();
            }
            if (now == KafkaStreams.State.ERROR && restarts.startsAgain()) {
                // Not on the thread that tells it: that one is part of what has to end first.
                Thread.ofPlatform().name("streams-restart").daemon().start(() -> restart(client));
            }
        });
        streams = client;
        if (topics == null) {
            topics = TopicsWatch.start(
                    kafka,
                    Brokers.NEEDED,
                    StreamsConfiguration.APPLICATION_ID,
                    StreamsConfiguration.transaction(settings));
        }
        if (fromEmptyStores) {
            client.cleanUp();
        }
        client.start();
    }

    /** They are there as soon as the client runs for the first time. */
    private void noteChangelogs() {
        try (var brokers = new Brokers(kafka, () -> closed)) {
            StoredChangelogs.note(
                    Path.of(settings.stateDir()), brokers.changelogs(StreamsConfiguration.APPLICATION_ID));
        } catch (StartFailure e) {
            LOG.warn("changelogs of local stores are not noted cause={}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void restart(KafkaStreams failed) {
        try {
            if (!failed.close(STOPPING)) {
                fail("a thread died, and the client has not closed within " + STOPPING.toSeconds() + " s");
            } else if (restarts.lacksTopics()) {
                start(Brokers::prepareTopicsAgain);
            } else {
                run(false);
            }
        } catch (StartFailure e) {
            fail(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            fail(e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    private void stuck() {
        if (!closed) {
            fail("a thread died, and the client has not shut down within " + SHUTS_DOWN.toSeconds() + " s");
        }
    }

    private void fail(String line) {
        if (failing.compareAndSet(false, true)) {
            // Before it is told: whoever is told may end the process.
            LOG.error("streams failed reason={}", line);
            failure.complete(line);
        }
    }

    /** Whether every partition that belongs to this process is being worked on, and none is missing or held up. */
    public boolean isRunning() {
        KafkaStreams client = streams;
        return client != null
                && client.state() == KafkaStreams.State.RUNNING
                && missingTopics().isEmpty()
                && heldUpPartitions().isEmpty();
    }

    /**
     * Topics that the service reads or writes and that the brokers did not have at the last check, at most
     * five seconds ago.
     */
    List<String> missingTopics() {
        TopicsWatch watch = topics;
        return watch == null ? List.of() : watch.missing();
    }

    /** Partitions of which nothing can be read because a transaction stays open on them, as of the last look. */
    List<String> heldUpPartitions() {
        TopicsWatch watch = topics;
        return watch == null ? List.of() : watch.heldUp();
    }

    /** In a few words for people: what it is doing or waiting for. */
    public String state() {
        KafkaStreams client = streams;
        String line = failure.getNow("");
        if (!line.isEmpty()) {
            return "failed: " + line;
        }
        List<String> missing = missingTopics();
        if (!missing.isEmpty()) {
            return "topics " + missing + " are missing; `observatory topics` prints how they are made";
        }
        List<String> heldUp = heldUpPartitions();
        if (!heldUp.isEmpty()) {
            return "a transaction stays open on " + heldUp + "; kafka-transactions.sh find-hanging shows it";
        }
        return client == null
                ? "waiting for the brokers at " + kafka.bootstrapServers()
                : client.state().name();
    }

    /** Completes, with one line that says why, when the service has given up; never while it works or when it is closed. */
    public CompletionStage<String> failure() {
        return failure.minimalCompletionStage();
    }

    /** Commits and stops. The place in the group is kept, so that a restart finds its partitions as they were. */
    @Override
    public void close() {
        closed = true;
        synchronized (this) {
            KafkaStreams client = streams;
            if (client != null) {
                client.close(STOPPING);
            }
            TopicsWatch watch = topics;
            if (watch != null) {
                watch.close();
            }
        }
    }
}
