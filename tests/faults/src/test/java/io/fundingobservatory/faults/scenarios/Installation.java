package io.fundingobservatory.faults.scenarios;

import io.fundingobservatory.faults.invariants.Invariant;
import io.fundingobservatory.faults.invariants.NoHangingTransaction;
import io.fundingobservatory.faults.load.Contracts;
import io.fundingobservatory.faults.load.NewestRead;
import io.fundingobservatory.faults.load.PublishedTables;
import io.fundingobservatory.faults.load.QuoteLoad;
import io.fundingobservatory.faults.load.SettledHistory;
import io.fundingobservatory.faults.process.BrokerCluster;
import io.fundingobservatory.oracle.PairsOracle;
import io.fundingobservatory.oracle.RatesOracle;
import io.fundingobservatory.oracle.RatesOracle.Broken;
import io.fundingobservatory.oracle.RatesReader;
import io.fundingobservatory.oracle.SettlementsReader;
import io.fundingobservatory.process.JavaProcess;
import io.fundingobservatory.process.Services;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.FreePort;
import io.fundingobservatory.topics.Topics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Brokers, one streams, one gateway, a steady flow of quotes, and everything that watches them. Faults are played on it one after the
 * other; after each, {@link #settle} holds all that came out since the start against the oracle.
 */
public final class Installation implements AutoCloseable {
    public static final String STREAMS = "streams-1";
    public static final String SECOND_STREAMS = "streams-2";
    public static final String GATEWAY = "gateway-1";
    private static final String BYSTANDER = "gateway-2";
    private static final Duration UP = Duration.ofMinutes(5);

    /** 20,000 contracts' 30 days, with all other processes on two cores. */
    private static final Duration RANKED = Duration.ofMinutes(15);

    private static final Duration PROGRESS_EVERY = Duration.ofMinutes(1);
    private static final Duration SETTLED = Duration.ofMinutes(5);

    private final Path folder;
    private final BrokerCluster kafka;
    private final Contracts contracts;
    private final QuoteLoad load;
    private final NewestRead flow;
    private final RatesOracle oracle;
    private final RatesReader reader;
    private final JavaProcess streams;
    private final JavaProcess gateway;
    private final GatewayProbe probe;
    private final SettledHistory ledger;
    private final SettlementsReader settlements;
    private final PublishedTables tables;
    private final PairsOracle pairs;
    private final NoHangingTransaction transactions = new NoHangingTransaction();
    private final List<JavaProcess> further = new ArrayList<>();
    private final List<GatewayProbe> probes = new ArrayList<>();
    private Set<Long> lost = Set.of();

    /**
     * How an installation is made.
     *
     * @param brokers one or three
     * @param perSecond quotes a second
     * @param settled contracts with 32 days of settlements
     * @param disks of the first brokers, that are not in the folder
     * @param streams changes how streams is started
     * @param gateway changes how the gateway is started
     * @param producer settings of the load's producer, over the careful ones
     */
    public record Plan(
            int brokers,
            int perSecond,
            int settled,
            List<Path> disks,
            UnaryOperator<JavaProcess.Spec> streams,
            UnaryOperator<JavaProcess.Spec> gateway,
            Map<String, Object> producer) {
        /** As many contracts with settlements as every run has. */
        public static final int SETTLED = 18;

        public static Plan of(int brokers) {
            UnaryOperator<JavaProcess.Spec> unchanged = UnaryOperator.identity();
            return new Plan(brokers, 600, SETTLED, List.of(), unchanged, unchanged, Map.of());
        }

        public Plan sending(int quotesPerSecond) {
            return new Plan(brokers, quotesPerSecond, settled, disks, streams, gateway, producer);
        }

        public Plan settling(int contracts) {
            return new Plan(brokers, perSecond, contracts, disks, streams, gateway, producer);
        }

        public Plan disks(List<Path> first) {
            return new Plan(brokers, perSecond, settled, first, streams, gateway, producer);
        }

        public Plan streams(UnaryOperator<JavaProcess.Spec> changed) {
            return new Plan(brokers, perSecond, settled, disks, changed, gateway, producer);
        }

        public Plan gateway(UnaryOperator<JavaProcess.Spec> changed) {
            return new Plan(brokers, perSecond, settled, disks, streams, changed, producer);
        }

        public Plan producer(Map<String, Object> settings) {
            return new Plan(brokers, perSecond, settled, disks, streams, gateway, settings);
        }
    }

    /** Starts everything and waits until quotes flow and the first list is served. */
    public Installation(Path folder, long seed, Plan plan) throws InterruptedException {
        this.folder = folder;
        this.kafka =
                BrokerCluster.start(folder, plan.brokers(), List.of(STREAMS, SECOND_STREAMS, GATEWAY), plan.disks());
        List<Contracts.Contract> settled = Contracts.settled(plan.settled());
        this.contracts = new Contracts(seed, 40, settled);
        this.oracle = new RatesOracle(contracts);
        this.flow = NewestRead.ofRows(kafka.direct());
        this.reader = new RatesReader(kafka.direct(), oracle);
        // Many tables are complete long before the last settlement is published, and do not change after that.
        this.tables = new PublishedTables(kafka.direct());
        this.streams = JavaProcess.start(plan.streams().apply(streams(STREAMS, plan.brokers())), folder);
        int port = FreePort.next();
        this.gateway = JavaProcess.start(
                plan.gateway().apply(Services.gateway(GATEWAY, kafka.bootstrap(GATEWAY), port)), folder);
        this.load = new QuoteLoad(kafka.direct(), contracts, seed, plan.perSecond(), plan.producer());
        this.ledger = new SettledHistory(kafka.direct(), seed, settled).publish();
        this.settlements = new SettlementsReader(kafka.direct());
        this.pairs = new PairsOracle(ledger.published());
        this.probe = probe(port);
        try {
            if (!flow.awaitAll(NewestRead.partitions(), 0, UP)) {
                throw new IllegalStateException("no quote got through within " + UP + ": " + flowState());
            }
            probe.awaitWhole(UP);
            awaitPairs();
        } catch (IllegalStateException e) {
            close();
            throw e;
        }
    }

    public Path folder() {
        return folder;
    }

    public BrokerCluster kafka() {
        return kafka;
    }

    public Contracts contracts() {
        return contracts;
    }

    public QuoteLoad load() {
        return load;
    }

    public RatesOracle oracle() {
        return oracle;
    }

    public RatesReader reader() {
        return reader;
    }

    public JavaProcess streams() {
        return streams;
    }

    public JavaProcess gateway() {
        return gateway;
    }

    public GatewayProbe probe() {
        return probe;
    }

    /** Another process that ends with this installation. */
    public JavaProcess start(JavaProcess.Spec spec) {
        JavaProcess process = JavaProcess.start(spec, folder);
        further.add(process);
        return process;
    }

    /** A second gateway that no fault touches. It gets the same requests as the first one, and the invariants check its lists too. */
    public JavaProcess startBystander() throws InterruptedException {
        int port = FreePort.next();
        JavaProcess second = start(Services.gateway(BYSTANDER, kafka.direct(), port));
        probe(port).awaitWhole(UP);
        return second;
    }

    private GatewayProbe probe(int port) {
        var keys = contracts.all().stream().map(Contracts.Contract::key).collect(Collectors.toSet());
        var requesting = new GatewayProbe(port, keys);
        probes.add(requesting);
        return requesting;
    }

    /** Streams a second time, with a name and directory of its own. */
    public JavaProcess.Spec secondStreams() {
        return streams(SECOND_STREAMS, kafka.brokers().size());
    }

    /** With one broker as one of two that take over from each other; with several alone, waiting for a broker's fail-over. */
    private JavaProcess.Spec streams(String instance, int brokers) {
        return Services.streams(instance, kafka.bootstrap(instance), folder.resolve(instance))
                .with("OBSERVATORY_STREAMS_STANDBY_REPLICAS", brokers == 1 ? "1" : "0");
    }

    /**
     * Returns whether every partition has a committed row that was read after now. The caller's clock
     * measures how long that took.
     */
    public boolean awaitFlow(Duration patience) throws InterruptedException {
        return flow.awaitAll(NewestRead.partitions(), System.currentTimeMillis(), patience);
    }

    /** Publishes another rate for a settlement of yesterday; returns the asset whose table it changes. */
    public String correctSettlement() throws InterruptedException {
        return ledger.correct();
    }

    /** Returns whether the table of an asset has all settlements that were published. */
    public boolean awaitTable(String asset, Duration patience) throws InterruptedException {
        return tables.await(asset, pairs::isCurrent, patience);
    }

    /** Until every asset's table has all settlements that were published, or patience ends. */
    public boolean awaitAllTables(Duration patience) throws InterruptedException {
        return Await.within(patience, () -> pairs.areCurrent(tables.newest()));
    }

    /** From now on settlements are published again, unchanged, and all tables: streams is reset. */
    public void expectRepeats() {
        settlements.repeatsAreExpected();
        tables.forget(pairs::isWhole);
    }

    /** The asset of which a table of a part of its settlements was published after the reset; null for none. */
    public @Nullable String partialTable() {
        return tables.unexpected();
    }

    /** How many committed records {@code settlements} had since it was created. */
    public long publishedSettlements() throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, Topics.SETTLEMENTS.partitions())
                .boxed()
                .collect(Collectors.toMap(
                        partition -> new TopicPartition(Topics.SETTLEMENTS.name(), partition),
                        partition -> OffsetSpec.latest()));
        return kafka
                .admin()
                .listOffsets(ends, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .all()
                .get()
                .values()
                .stream()
                .mapToLong(ListOffsetsResult.ListOffsetsResultInfo::offset)
                .sum();
    }

    /** How many records streams has read from the changelog of a store since its start. */
    long restored(String store) throws IOException, InterruptedException {
        String port = streams.spec().environment().get(Services.MANAGEMENT_PORT);
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/prometheus"))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString())
                    .body()
                    .lines()
                    .filter(line -> line.startsWith("observatory_streams_records_restored_total{store=\"" + store))
                    .mapToLong(line -> Math.round(Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))))
                    .sum();
        }
    }

    /** Partitions without a committed row that was read in the last ten seconds, for people. */
    public String flowState() {
        return "partitions " + flow.silentSince(NewestRead.partitions(), System.currentTimeMillis() - 10_000) + " wait";
    }

    /** Stops the flow for a moment, waits for what is on its way, and compares everything. */
    public void settle() throws InterruptedException {
        load.pause();
        var before = new AtomicLong(-1);
        Await.within(SETTLED, () -> {
            long waiting = reader.advance();
            return waiting == 0 && before.getAndSet(waiting) == 0 && load.underWay() == 0;
        });
        try {
            transactions.check(kafka.admin());
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
        reader.advance();
        lost = reader.lostOf(load.acknowledged());
        if (oracle.waiting() > 0) {
            oracle.end();
        }
        oracle.latest(reader.newest(Topics.RATES_LATEST.name()));
        pairs.settlements(settlements);
        pairs.tables(tables.newest());
        load.go();
    }

    /** What a run prints, with the time of day. */
    public static void log(String format, Object... values) {
        System.out.println(LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + " " + format.formatted(values));
    }

    /** Until the pairs of all assets that have a settled past are complete for the first time. Every minute it prints how many are left. */
    private void awaitPairs() throws InterruptedException {
        var complete = pairs.completeness();
        var nextLine = new AtomicLong(System.nanoTime());
        boolean ranked = Await.within(RANKED, () -> {
            boolean all = complete.test(tables.newest());
            if (!all && System.nanoTime() > nextLine.get()) {
                log("assets that wait for their pairs: %d, tables: %d", complete.left(), tables.count());
                nextLine.addAndGet(PROGRESS_EVERY.toNanos());
            }
            return all;
        });
        if (!ranked) {
            throw new IllegalStateException("no complete pairs within " + RANKED);
        }
    }

    /** What is watched; {@link #settle} brings it up to date. */
    public List<Invariant> invariants() {
        var all = new ArrayList<>(invariantsOf(oracle));
        // Every quote that the brokers have acknowledged is on its topic.
        all.add(new Invariant(
                "NothingLost",
                () -> lost.stream()
                        .limit(20)
                        .map(position -> "acknowledged and gone: partition " + (position >>> 48) + " offset "
                                + (position & 0xffff_ffff_ffffL))
                        .toList()));
        all.add(new Invariant("ExactPairs", pairs::violations));
        all.add(new Invariant("NoHangingTransaction", transactions::violations));
        all.addAll(listInvariants());
        return all;
    }

    /** Of the rows on the topics: each quote has its effect, record for record within each contract, to the last digit. */
    static List<Invariant> invariantsOf(RatesOracle oracle) {
        return List.of(
                new Invariant("NothingLost", () -> oracle.violations(Broken.NOTHING_LOST)),
                new Invariant("ExactlyOnce", () -> oracle.violations(Broken.EXACTLY_ONCE)),
                new Invariant("ExactValue", () -> oracle.violations(Broken.EXACT_VALUE)));
    }

    /** Of the gateways' lists alone, where the topics themselves were tampered with. */
    public List<Invariant> listInvariants() {
        return probes.stream().flatMap(each -> each.invariants().stream()).toList();
    }

    @Override
    public void close() {
        probes.forEach(GatewayProbe::close);
        load.close();
        flow.close();
        reader.close();
        settlements.close();
        tables.close();
        ledger.close();
        further.forEach(JavaProcess::close);
        streams.close();
        gateway.close();
        kafka.close();
    }
}
