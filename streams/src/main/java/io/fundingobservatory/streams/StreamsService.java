package io.fundingobservatory.streams;

import io.fundingobservatory.runtime.InnermostCause;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.streams.lifecycle.Application;
import io.fundingobservatory.streams.lifecycle.Brokers;
import io.fundingobservatory.streams.lifecycle.LocalStores;
import io.fundingobservatory.streams.lifecycle.LostState;
import io.fundingobservatory.streams.lifecycle.RunningApplication;
import io.fundingobservatory.streams.lifecycle.StartFailure;
import io.fundingobservatory.streams.lifecycle.SteadyTime;
import io.fundingobservatory.streams.pairs.PairsTopology;
import io.fundingobservatory.streams.processing.StreamsMetrics;
import io.fundingobservatory.streams.rates.RatesTopology;
import io.fundingobservatory.topics.OpenVenues;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two applications, {@code rates} and {@code pairs}. Waits for the brokers, prepares what the applications
 * need, starts both, and reports in one line why it cannot.
 */
public final class StreamsService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StreamsService.class);

    private final StreamsSettings settings;
    private final KafkaAccess kafka;
    private final StreamsMetrics metrics;
    private final MeterRegistry registry;
    private final SteadyTime time = new SteadyTime();
    private final CompletableFuture<String> failure = new CompletableFuture<>();
    private final AtomicBoolean failing = new AtomicBoolean();
    private final CountDownLatch closing = new CountDownLatch(1);
    private @Nullable Brokers brokers;
    private volatile @Nullable RunningApplication rates;
    private volatile @Nullable RunningApplication pairs;

    /** Why {@code pairs} waits for a reset; null while it has its state. */
    private volatile @Nullable String lostPairs;

    /** One that is not started; Kafka's own metrics go to the registry. */
    public StreamsService(StreamsSettings settings, KafkaAccess kafka, StreamsMetrics metrics, MeterRegistry registry) {
        this.settings = settings;
        this.kafka = kafka;
        this.metrics = metrics;
        this.registry = registry;
    }

    /** Waits for the brokers, then starts both applications and returns. What prevents it ends up in {@link #failure()}. */
    public void start() {
        try {
            LocalStores.requireNativeLibrary();
            Brokers opened = open();
            if (opened == null) {
                return;
            }
            short copies = opened.prepare();
            synchronized (this) {
                if (isClosed()) {
                    return;
                }
                rates = application(Application.RATES, opened, this::fail);
                pairs = application(Application.PAIRS, opened, this::waitForReset);
                rates.start(
                        StreamsConfiguration.rates(settings, kafka, copies),
                        config -> RatesTopology.draw(config, time::milliseconds, metrics, OpenVenues.LISTED));
                pairs.start(
                        StreamsConfiguration.pairs(settings, kafka, copies),
                        config -> PairsTopology.draw(config, time::milliseconds, metrics, settings.tablesWait()));
            }
        } catch (StartFailure e) {
            fail(e.reason());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            fail(InnermostCause.typed(e));
        }
    }

    private synchronized @Nullable Brokers open() {
        if (!isClosed()) {
            brokers = new Brokers(kafka);
        }
        return brokers;
    }

    private RunningApplication application(Application application, Brokers brokers, Consumer<String> lost) {
        return new RunningApplication(
                application, brokers, Path.of(settings.stateDir()), time, metrics, registry, this::fail, lost);
    }

    /**
     * The word after {@code observatory reset} that brings back lost state; null where nothing is lost. An installation
     * of one process resets itself.
     */
    public static @Nullable String lostState(Admin admin) throws InterruptedException, ExecutionException {
        for (Application application : List.of(Application.RATES, Application.PAIRS)) {
            if (!LostState.of(admin, application).isEmpty()) {
                return application.reset();
            }
        }
        return null;
    }

    /** Rates run meanwhile. A reset needs all instances stopped, so this one waits until it is closed. */
    private void waitForReset(String line) {
        lostPairs = line;
        try {
            do {
                LOG.error("pairs is stopped reason=\"{}\"", line);
            } while (!closing.await(1, TimeUnit.MINUTES));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void fail(String line) {
        if (!isClosed() && failing.compareAndSet(false, true)) {
            // Logged first: the receiver of the line may end the process.
            LOG.error("streams failed reason={}", line);
            failure.complete(line);
        }
    }

    private boolean isClosed() {
        return closing.getCount() == 0;
    }

    /** Whether every partition that belongs to this process is being processed. */
    public boolean isRunning() {
        return ratesRun() && pairsRun();
    }

    boolean ratesRun() {
        RunningApplication application = rates;
        return application != null && application.isRunning();
    }

    boolean pairsRun() {
        RunningApplication application = pairs;
        return application != null && application.isRunning();
    }

    /** In a few words for people: what it is doing or waiting for. */
    public String state() {
        String line = failure.getNow("");
        if (!line.isEmpty()) {
            return "failed: " + line;
        }
        RunningApplication ratesNow = rates;
        RunningApplication pairsNow = pairs;
        if (ratesNow == null || pairsNow == null) {
            return "waiting for the brokers at " + kafka.bootstrapServers();
        }
        String lost = lostPairs;
        String ratesState = ratesNow.state();
        String pairsState = lost != null ? "is stopped: " + lost : pairsNow.state();
        return ratesState.equals(pairsState) ? ratesState : "rates " + ratesState + ", pairs " + pairsState;
    }

    /** Completes with one line that names the cause when the service has given up; never while it works or when it is closed. */
    public CompletionStage<String> failure() {
        return failure.minimalCompletionStage();
    }

    /** Commits and stops. The places in the groups are kept, so that a restart finds its partitions as they were. */
    @Override
    public void close() {
        closing.countDown();
        synchronized (this) {
            RunningApplication closingRates = rates;
            RunningApplication closingPairs = pairs;
            if (closingRates != null && closingPairs != null) {
                var closed = CompletableFuture.runAsync(closingPairs::close, Thread::startVirtualThread);
                closingRates.close();
                closed.join();
            }
            if (brokers != null) {
                brokers.close();
            }
        }
    }
}
