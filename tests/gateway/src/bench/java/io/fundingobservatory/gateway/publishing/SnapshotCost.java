package io.fundingobservatory.gateway.publishing;

import static io.fundingobservatory.testbed.SampleRecords.fields;

import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.snapshot.PairRanking;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;

/**
 * Measures the cost of a snapshot: CPU time of the whole process from taking the changes to the snapshot with
 * every coding. It is measured for each changed venue, and with growing numbers of rows. Asserts nothing.
 */
final class SnapshotCost {
    private static final int ROUNDS = 41;
    private static final int[] ROWS_OF_A_VENUE = {104, 520, 5_208};
    private static final int[] CHANGED = {0, 1, 4, ListedVenue.ALL.size()};
    private static final double LIMIT_MS = 10;
    private static final long RANK_BYTES = 5_000_000;

    private final Random random = new Random(1);
    private final FilledTables tables = new FilledTables();
    private long now = 1_790_000_000_000L;

    private SnapshotCost() {}

    public static void main(String[] args) {
        System.out.printf("threads beside the publisher: %d%n", ForkJoinPool.getCommonPoolParallelism());
        for (int rows : ROWS_OF_A_VENUE) {
            new SnapshotCost().run(rows);
        }
        rank();
    }

    /** One of 900 assets with 245 pairs each has changed: what ranking them allocates and takes. */
    private static void rank() {
        var random = new Random(2);
        Map<String, PairRanking.Table> tables = new HashMap<>();
        for (int i = 0; i < 900; i++) {
            tables.put("A" + i, pairs("A" + i, random));
        }
        PairRanking ranking = PairRanking.none("").with(tables.values());
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        var bytes = new long[ROUNDS];
        var took = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            tables.put("A" + i, pairs("A" + i, random));
            long before = threads.getCurrentThreadAllocatedBytes();
            long begun = System.nanoTime();
            ranking = ranking.with(tables.values());
            took[i] = (System.nanoTime() - begun) / 1e6;
            bytes[i] = threads.getCurrentThreadAllocatedBytes() - before;
        }
        Arrays.sort(bytes);
        Arrays.sort(took);
        System.out.printf(
                Locale.ROOT,
                "%,d pairs, 1 of 900 assets changed: rank allocates %,d bytes (median), %.2f of the limit of %,d; takes %.2f ms (median)%n",
                ranking.complete().size(),
                bytes[ROUNDS / 2],
                (double) bytes[ROUNDS / 2] / RANK_BYTES,
                RANK_BYTES,
                took[ROUNDS / 2]);
    }

    private static PairRanking.Table pairs(String asset, Random random) {
        var pairs = new ArrayList<CarryPair>();
        for (int i = 0; i < 245; i++) {
            pairs.add(Samples.pair(
                    Samples.leg("okx", asset + "-L" + i, "0", 0, 1_789_999_200_000L),
                    Samples.leg(
                            "gate",
                            asset + "-S" + i,
                            BigDecimal.valueOf(random.nextInt(10_000_000), 9)
                                    .stripTrailingZeros()
                                    .toPlainString(),
                            0,
                            1_789_999_200_000L),
                    30,
                    null));
        }
        return PairRanking.Table.of(Samples.table(asset, 1_789_999_200_000L, pairs, List.of()));
    }

    private void run(int rows) {
        var publisher = new SnapshotPublisher(
                tables.tables,
                () -> Instant.ofEpochMilli(now),
                Duration.ofSeconds(5),
                Duration.ofSeconds(60),
                () -> StreamsProgress.Known.NOTHING);
        ListedVenue.ALL.forEach(venue -> read(venue, rows));
        Snapshot last = publisher.next(true, null);
        for (int changed : CHANGED) {
            // The system counts CPU time in hundredths of a second: only the sum of many rounds is a measurement.
            long cpuNs = 0;
            var took = new double[ROUNDS];
            for (int i = 0; i < ROUNDS; i++) {
                now += 5_000;
                for (int venue = 0; venue < changed; venue++) {
                    read(ListedVenue.ALL.get((i * changed + venue) % ListedVenue.ALL.size()), rows);
                }
                long begun = System.nanoTime();
                long begunCpu = cpuNs();
                last = publisher.next(true, last);
                cpuNs += cpuNs() - begunCpu;
                took[i] = (System.nanoTime() - begun) / 1e6;
            }
            Arrays.sort(took);
            double mean = cpuNs / 1e6 / ROUNDS;
            System.out.printf(
                    Locale.ROOT,
                    "%,7d rows, %2d exchanges changed: %7.2f ms of CPU on average, %7.2f ms (median)%s%n",
                    ListedVenue.ALL.size() * rows,
                    changed,
                    mean,
                    took[ROUNDS / 2],
                    changed == 0
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    "; for each %.2f ms of CPU, %.2f of the limit of %.0f ms",
                                    mean / changed,
                                    mean / changed / LIMIT_MS,
                                    LIMIT_MS));
        }
    }

    private static long cpuNs() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private void read(ListedVenue venue, int rows) {
        for (int i = 0; i < rows; i++) {
            BigDecimal rate = BigDecimal.valueOf((long) (random.nextGaussian() * 20_000), 8)
                    .stripTrailingZeros();
            BigDecimal price = BigDecimal.valueOf(1 + Math.abs(random.nextInt(1_000_000)), random.nextInt(6));
            tables.put(SampleRecords.rate(
                    fields("venue", venue.id(), "symbol", "A" + i + "-USDT", "asset", "A" + i, "quote", "USDT"),
                    fields("contract_type", ContractType.LINEAR, "asset_class", null, "dex", null),
                    fields("funding_rate_8h", rate, "funding_interval_h", BigDecimal.valueOf(8)),
                    fields("funding_interval_source", IntervalSource.ROW, "funding_rate", rate),
                    fields("rate_kind", RateKind.ESTIMATE),
                    fields("funding_rate_annualised", rate.multiply(BigDecimal.valueOf(1_095))),
                    fields("next_funding_ms", now + 3_600_000, "mark_price", price),
                    fields(
                            "index_price",
                            price.multiply(new BigDecimal("1.0001")).stripTrailingZeros()),
                    fields("price_scale", BigDecimal.ONE, "venue_time_ms", now - random.nextInt(1_000)),
                    fields("observed_at_ms", now, "stale", false)));
        }
        tables.put(
                new VenueStatus(
                        venue.id(),
                        Source.SIMULATED,
                        RateKind.ESTIMATE,
                        true,
                        null,
                        now,
                        now,
                        null,
                        null,
                        (long) rows,
                        Map.of()),
                now);
    }
}
