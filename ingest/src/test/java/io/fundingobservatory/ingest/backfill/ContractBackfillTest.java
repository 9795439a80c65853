package io.fundingobservatory.ingest.backfill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.backfill.ContractBackfill.Schedule;
import io.fundingobservatory.topics.records.HistoryProgress;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a contract is read next whose earlier settlements another process has read. */
class ContractBackfillTest {
    private static final long HOUR = 3_600_000;

    private static long at(String time) {
        return Instant.parse("2026-11-20T" + time + ":00Z").toEpochMilli();
    }

    /** The settlement at 16:00 has passed, and the one at 08:00 is the newest that was read: the next reading is not after 24:00. */
    @ParameterizedTest
    @CsvSource({"16:01", "16:02", "16:30", "19:00"})
    void readsASettlementThatPassedBeforeTheStart(String start) {
        ContractBackfill contract = resumed("08:00");
        contract.announced(new Schedule(at("16:00") + 8 * HOUR, 8 * HOUR, 0, 1), at(start));
        assertTrue(contract.dueMs() <= at(start), () -> "due " + Instant.ofEpochMilli(contract.dueMs()));
    }

    @ParameterizedTest
    @CsvSource({"08:30, 0", "15:59, 0", "08:02, 6"})
    void waitsForTheNextWhereNoneHasPassed(String start, int restH) {
        ContractBackfill contract = resumed("08:00");
        contract.announced(new Schedule(at("16:00"), 8 * HOUR, restH * HOUR, 1), at(start));
        assertEquals(at("16:01"), contract.dueMs());
    }

    private static ContractBackfill resumed(String newest) {
        return ContractBackfill.resumed(new HistoryProgress("okx", "BTC-USDT-SWAP", at(newest), true), new Random(1));
    }
}
