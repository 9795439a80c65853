package io.fundingobservatory.streams;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.kafka.KafkaAccess;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows do not wait behind a backfill that came before them, also where its beginning has to be read back from the ledger first. */
class QuotesBeforeSettlementsTest {
    private static final int CONTRACTS = 900;
    private static final Duration DEADLINE = Duration.ofMinutes(15);

    @TempDir
    private Path state;

    @Test
    void rowsAreThereWhileMostOfABackfillWaits() throws ExecutionException, InterruptedException {
        long deadline = System.nanoTime() + DEADLINE.toNanos();
        try (var kafka = KafkaFixture.start();
                var market = new MarketLoad(kafka, Map.of("compression.type", "zstd"));
                var rows = new CommittedRecords(kafka.bootstrapServers(), Topics.RATES_LATEST.name())) {
            market.poll(CONTRACTS, System.currentTimeMillis());
            long settlements = market.settlements(CONTRACTS);
            try (StreamsService service = service(kafka)) {
                service.start();
                while (published(market) < settlements / 10) {
                    assertTrue(System.nanoTime() < deadline, "no settlements");
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                }
            }
            long before = published(market);
            market.poll(CONTRACTS, System.currentTimeMillis());
            try (StreamsService service = service(kafka)) {
                service.start();
                while (rows.poll() < 2 * CONTRACTS) {
                    assertTrue(System.nanoTime() < deadline, () -> "not all rows: " + rows.records.size());
                }
                long meanwhile = published(market) - before;
                long waiting = settlements - before;
                System.out.printf(
                        "%d of %d settlements that waited were published before the last row%n", meanwhile, waiting);
                assertTrue(
                        meanwhile < waiting / 2,
                        () -> meanwhile + " of " + waiting
                                + " settlements that waited were published before the last row");
            }
        }
    }

    private StreamsService service(KafkaFixture kafka) {
        return new StreamsService(
                new StreamsSettings("test-1", state.toString(), 2, 0),
                KafkaAccess.at(kafka.bootstrapServers()),
                InstantSource.system(),
                new RefusalsCounted(new AtomicLong()));
    }

    /** Settlements in the ledger, and a mark for each transaction. */
    private static long published(MarketLoad market) throws ExecutionException, InterruptedException {
        return market.ends(MarketLoad.partitions(Topics.SETTLEMENTS).stream()).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }
}
