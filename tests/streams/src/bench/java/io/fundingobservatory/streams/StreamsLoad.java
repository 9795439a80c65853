package io.fundingobservatory.streams;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.streams.processing.StreamsMetrics;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;

/**
 * Measures, and asserts nothing. First it measures quotes a second through both applications, exactly once.
 * In turn with them run loops that read, parse, map and write, in transactions of the same length with batches
 * of the same size. The broker runs in the same process, so all share the machine with it.
 *
 * <p>There are two loops: the bare one writes a row to one topic. The other one writes what {@code rates}
 * writes for a quote. That is the row to {@code rates.normalised} and {@code rates.latest}, and the
 * contract's state to a changelog. The goal is a share of the other one.
 *
 * <p>{@code -Drounds} is how often (9), after {@code -DwarmingUp} (3) rounds that do not count.
 * {@code -Donly=topology|loop} runs one of the two (for a profile). {@code -Dthreads} is the number of stream threads (2). {@code -Dcontracts} (20,000)
 * and {@code -Dpolls} (15) are the size of a round.
 */
final class StreamsLoad {
    private static final int CONTRACTS = Integer.getInteger("contracts", 20_000);
    private static final int POLLS = Integer.getInteger("polls", 15);
    private static final int QUOTES = CONTRACTS * POLLS;
    private static final int ROUNDS = Integer.getInteger("rounds", 9);
    /** What a JVM compiles in its first rounds takes as long as the work itself. */
    private static final int WARMING_UP = Integer.getInteger("warmingUp", 3);

    private static final int THREADS = Integer.getInteger("threads", 2);
    private static final String ONLY = System.getProperty("only", "");
    private static final double GOAL_RATIO = 0.80;
    /** A hundred times real time. */
    private static final double GOAL_QUOTES = 28_000;

    /** As the topology's own. */
    private static final Map<String, Object> PRODUCER = Map.of(
            "acks",
            "all",
            "compression.type",
            StreamsConfiguration.COMPRESSION,
            "linger.ms",
            100,
            "max.in.flight.requests.per.connection",
            1,
            "retry.backoff.ms",
            10);

    private final KafkaFixture kafka;
    private final MarketLoad load;
    private final Path directory;
    private final long now = System.currentTimeMillis();

    /** What something takes, by the clock and of this process's CPU: where others share the machine only the second tells. */
    private record Cost(long nanos, long cpuNanos) {
        static Cost now() {
            long cpu = ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                    .getProcessCpuTime();
            return new Cost(System.nanoTime(), cpu);
        }

        Cost untilNow() {
            Cost now = now();
            return new Cost(now.nanos - nanos, now.cpuNanos - cpuNanos);
        }

        double perSecond() {
            return QUOTES * 1e9 / nanos;
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT, "%,.0f quotes/s with %.1f us of CPU each", perSecond(), cpuNanos / 1e3 / QUOTES);
        }
    }

    private StreamsLoad(KafkaFixture kafka, MarketLoad load) throws Exception {
        this.kafka = kafka;
        this.load = load;
        this.directory = Files.createTempDirectory("streams-load");
    }

    public static void main(String[] args) throws Exception {
        try (KafkaFixture kafka = KafkaFixture.start();
                var load = new MarketLoad(kafka.bootstrapServers(), PRODUCER)) {
            new StreamsLoad(kafka, load).run();
        }
        System.exit(0);
    }

    private void run() throws Exception {
        kafka.admin()
                .createTopics(List.of(new NewTopic(
                                TransactionalLoop.STATES, Optional.of(Topics.QUOTES_RAW.partitions()), Optional.empty())
                        .configs(Map.of("cleanup.policy", "compact"))))
                .all()
                .get();
        var topologies = new double[ROUNDS];
        var ratios = new double[ROUNDS];
        var ratiosOfThree = new double[ROUNDS];
        for (int round = -WARMING_UP; round < ROUNDS; round++) {
            var from = load.ends(MarketLoad.partitions(Topics.QUOTES_RAW).stream());
            for (int poll = 0; poll < POLLS; poll++) {
                load.poll(CONTRACTS, now + (WARMING_UP + round) * POLLS + poll);
            }
            // In turn the first and the last, so that none always meets the warmer page cache.
            Cost topology = round % 2 == 0 ? null : topology();
            Cost bare = loop(from, round, false);
            Cost allThree = loop(from, round, true);
            topology = topology == null ? topology() : topology;
            if (round < 0) {
                System.out.println("warming up: topology " + topology + "; bare transactional loop " + bare);
                continue;
            }
            topologies[round] = topology.perSecond();
            ratios[round] = (double) bare.nanos / topology.nanos;
            ratiosOfThree[round] = (double) allThree.nanos / topology.nanos;
            System.out.printf(
                    Locale.ROOT,
                    "round %d: topology, exactly once, %s; bare transactional loop %s: %.2f; loop that writes the same three records"
                            + " %s: %.2f; broker and compilers included%n",
                    round + 1,
                    topology,
                    bare,
                    ratios[round],
                    allThree,
                    ratiosOfThree[round]);
        }
        print("quotes/s through the topology", topologies, GOAL_QUOTES);
        print("ratio to the loop that writes the same", ratiosOfThree, GOAL_RATIO);
        print("ratio to the bare transactional loop, for information", ratios, GOAL_RATIO);
    }

    /** The median of all rounds with its interval of 95 %: between the order statistics that the binomial distribution leaves out. */
    private static void print(String what, double[] values, double goal) {
        double[] sorted = Arrays.stream(values).sorted().toArray();
        int outside = 0;
        double chance = Math.pow(0.5, sorted.length);
        double term = chance;
        while (chance <= 0.025 && outside < sorted.length / 2) {
            outside++;
            term = term * (sorted.length - outside + 1) / outside;
            chance += term;
        }
        int lowest = Math.max(0, outside - 1);
        System.out.printf(
                Locale.ROOT,
                "median %s: %,.2f [%,.2f – %,.2f], goal %,.2f: %.2f of it%n",
                what,
                sorted[sorted.length / 2],
                sorted[lowest],
                sorted[sorted.length - 1 - lowest],
                goal,
                sorted[sorted.length / 2] / goal);
    }

    private Cost topology() throws Exception {
        StreamsService service = start(kafka, directory);
        Cost began = Cost.now();
        if (!ONLY.equals("loop")) {
            load.awaitCaughtUp();
        }
        Cost took = began.untilNow();
        service.close();
        return took;
    }

    /** The service in this process, running. */
    static StreamsService start(KafkaFixture kafka, Path directory) {
        var meters = new SimpleMeterRegistry();
        var service = new StreamsService(
                new StreamsSettings("load-1", directory.toString(), THREADS, 1, 0, Duration.ofSeconds(60)),
                KafkaAccess.at(kafka.bootstrapServers()),
                new StreamsMetrics(meters),
                meters);
        service.start();
        while (!service.isRunning()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return service;
    }

    private Cost loop(Map<TopicPartition, Long> from, int round, boolean allThree) {
        String id = "loop-" + round + (allThree ? "-all-three" : "");
        try (var loop = new TransactionalLoop(kafka.bootstrapServers(), PRODUCER, id, from, allThree)) {
            Cost began = Cost.now();
            if (!ONLY.equals("topology")) {
                loop.run(QUOTES);
            }
            return began.untilNow();
        }
    }
}
