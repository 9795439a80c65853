package io.fundingobservatory.streams;

import io.fundingobservatory.runtime.InnermostCause;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.streams.client.Brokers;
import io.fundingobservatory.streams.client.LedgerLoader;
import io.fundingobservatory.streams.client.LocalStores;
import io.fundingobservatory.streams.client.RunningApplication;
import io.fundingobservatory.streams.client.StartFailure;
import io.fundingobservatory.streams.client.TopicsWatch;
import io.fundingobservatory.streams.clock.SteadyTime;
import io.fundingobservatory.streams.core.Application;
import io.fundingobservatory.streams.core.StreamsMetrics;
import io.fundingobservatory.streams.formats.ContractState.Restored;
import io.fundingobservatory.streams.pairs.FormerTables;
import io.fundingobservatory.streams.pairs.PairsTopology;
import io.fundingobservatory.streams.rates.ContractHistory;
import io.fundingobservatory.streams.rates.RatesTopology;
import io.fundingobservatory.topics.OpenVenues;
import io.fundingobservatory.topics.records.ContractKey;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two applications, {@code rates} and {@code pairs}. Waits for the brokers, prepares what the applications
 * need, starts both, and reports in one line why it cannot.
 */
public final class StreamsService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StreamsService.class);
    private static final Application RATES = RatesTopology.APPLICATION;
    private static final Application PAIRS = PairsTopology.APPLICATION;

    private final StreamsSettings settings;
    private final KafkaAccess kafka;
    private final Path stateDir;
    private final SteadyTime time;
    private final StreamsMetrics metrics;
    private final RunningApplication rates;
    private final RunningApplication pairs;
    private final CompletableFuture<String> failure = new CompletableFuture<>();
    private final AtomicBoolean failing = new AtomicBoolean();
    private volatile boolean closed;
    private volatile @Nullable TopicsWatch topics;

    public StreamsService(StreamsSettings settings, KafkaAccess kafka, InstantSource clock, StreamsMetrics metrics) {
        this.settings = settings;
        this.kafka = kafka;
        this.stateDir = Path.of(settings.stateDir());
        this.time = new SteadyTime(clock);
        this.metrics = metrics;
        this.rates = new RunningApplication(RATES, kafka, stateDir, time, metrics, this::fail);
        this.pairs = new RunningApplication(PAIRS, kafka, stateDir, time, metrics, this::fail);
    }

    /** Publishes Kafka's own metrics of each client that starts from now on. */
    void bindTo(MeterRegistry registry) {
        rates.bindTo(registry);
        pairs.bindTo(registry);
    }

    /** Waits for the brokers, then starts both applications and returns. What prevents it ends up in {@link #failure()}. */
    public void start() {
        try (var brokers = new Brokers(kafka, () -> closed)) {
            LocalStores.requireNativeLibrary();
            brokers.prepareTopics();
            brokers.requireTransactionsV2();
            short copies = brokers.copies();
            boolean ratesLost = brokers.prepareStores(RATES, settings.instanceId());
            boolean pairsLost = brokers.prepareStores(PAIRS, settings.instanceId());
            synchronized (this) {
                if (closed) {
                    return;
                }
                topics = TopicsWatch.start(
                        kafka,
                        Brokers.NEEDED,
                        List.of(RATES, PAIRS),
                        StreamsConfiguration.transaction(settings),
                        this::fail);
            }
            LedgerLoader ledger = brokers.loader(metrics);
            startRates(brokers, ledger, ratesLost, copies);
            startPairs(brokers, ledger, pairsLost, copies);
        } catch (StartFailure e) {
            if (!closed) {
                fail(e.reason());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            fail(InnermostCause.typed(e));
        }
    }

    private void startRates(Brokers brokers, LedgerLoader ledger, boolean lost, short copies)
            throws InterruptedException {
        ContractHistory restored = lost || brokers.isTruncated(RATES)
                ? new ContractHistory(listings(brokers, ledger))
                : ContractHistory.NONE;
        rates.start(
                StreamsConfiguration.rates(settings, kafka, copies),
                config -> RatesTopology.draw(config, time::milliseconds, metrics, OpenVenues.LISTED, restored),
                lost || LocalStores.areOfOthers(stateDir, RATES, brokers.changelogs(RATES)));
    }

    /** Rates run meanwhile: their events wait for the ledger. */
    private void startPairs(Brokers brokers, LedgerLoader ledger, boolean lost, short copies)
            throws InterruptedException {
        Properties pairsConfig = StreamsConfiguration.pairs(settings, kafka, copies);
        FormerTables former = FormerTables.NONE;
        if (lost) {
            Map<ContractKey, Restored> listings = listings(brokers, ledger);
            former = FormerTables.of(
                    brokers.request("the pair tables cannot be read", ledger::publishedTables), listings);
            if (!listings.isEmpty()) {
                brokers.request("the ledger cannot be loaded", () -> ledger.load(listings, pairsConfig));
            }
        }
        // Of the first client alone: later ones find what it has stored.
        var formerOnce = new AtomicReference<>(former);
        pairs.start(
                pairsConfig,
                config -> PairsTopology.draw(
                        config, time::milliseconds, metrics, formerOnce.getAndSet(FormerTables.NONE)),
                lost || LocalStores.areOfOthers(stateDir, PAIRS, brokers.changelogs(PAIRS)));
    }

    private static Map<ContractKey, Restored> listings(Brokers brokers, LedgerLoader ledger)
            throws InterruptedException {
        return brokers.request("the ledger cannot be read", ledger::listings);
    }

    private void fail(String line) {
        if (failing.compareAndSet(false, true)) {
            // Logged first: the receiver of the line may end the process.
            LOG.error("streams failed reason={}", line);
            failure.complete(line);
        }
    }

    /** Whether every partition that belongs to this process is being processed, and none is missing or held up. */
    public boolean isRunning() {
        return rates.isRunning()
                && pairs.isRunning()
                && missingTopics().isEmpty()
                && blockedPartitions().isEmpty();
    }

    boolean ratesRun() {
        return rates.isRunning();
    }

    boolean pairsRun() {
        return pairs.isRunning();
    }

    /** As of the last check, at most five seconds ago. */
    List<String> missingTopics() {
        TopicsWatch watch = topics;
        return watch == null ? List.of() : watch.missing();
    }

    List<String> blockedPartitions() {
        TopicsWatch watch = topics;
        return watch == null ? List.of() : watch.blocked();
    }

    /** In a few words for people: what it is doing or waiting for. */
    public String state() {
        String line = failure.getNow("");
        if (!line.isEmpty()) {
            return "failed: " + line;
        }
        List<String> missing = missingTopics();
        if (!missing.isEmpty()) {
            return "topics " + missing + " are missing; `observatory topics` prints how they are made";
        }
        List<String> blocked = blockedPartitions();
        if (!blocked.isEmpty()) {
            return "a transaction stays open on " + blocked + "; kafka-transactions.sh find-hanging shows it";
        }
        String ratesState = rates.state();
        String pairsState = pairs.state();
        if (ratesState == null) {
            return "waiting for the brokers at " + kafka.bootstrapServers();
        }
        if (pairsState == null) {
            return "rates " + ratesState + ", pairs is being prepared";
        }
        return ratesState.equals(pairsState) ? ratesState : "rates " + ratesState + ", pairs " + pairsState;
    }

    /** Completes with one line that names the cause when the service has given up; never while it works or when it is closed. */
    public CompletionStage<String> failure() {
        return failure.minimalCompletionStage();
    }

    /** Commits and stops. The places in the groups are kept, so that a restart finds its partitions as they were. */
    @Override
    public void close() {
        closed = true;
        var closingPairs = CompletableFuture.runAsync(pairs::close, Thread::startVirtualThread);
        rates.close();
        closingPairs.join();
        synchronized (this) {
            TopicsWatch watch = topics;
            if (watch != null) {
                watch.close();
            }
        }
    }
}
