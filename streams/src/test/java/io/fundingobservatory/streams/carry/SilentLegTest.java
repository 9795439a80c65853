package io.fundingobservatory.streams.carry;

import static io.fundingobservatory.streams.carry.LedgerTables.list;
import static io.fundingobservatory.streams.carry.RandomLedgers.HOUR_MS;
import static io.fundingobservatory.streams.carry.RandomLedgers.T;
import static io.fundingobservatory.streams.carry.RandomLedgers.ledger;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.processing.StoredJson;
import io.fundingobservatory.streams.settlements.ContractSettlements;
import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.ContractKey;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The last comparison of two prices stands while a leg is silent: one venue is down, or all of our ingest. */
class SilentLegTest {
    private static final long MINUTE_MS = 60_000;
    private static final BigDecimal THREE = new BigDecimal("3.00");
    private static final BigDecimal CENT = new BigDecimal("0.01");

    private final RandomLedgers random = new RandomLedgers(11);
    private final TreeMap<ContractKey, PricedContract> asset = new TreeMap<>();
    private Contract okx = random.contract("okx", 8);
    private Contract gate = random.contract("gate", 8);
    private final List<KnownSettlement> settlements = new ArrayList<>();

    /** Both contracts settle every so many hours, with whole histories far beyond every window of a test. */
    private void settleEvery(int intervalH) {
        settlements.clear();
        for (long at = T - 32 * 24 * HOUR_MS; at <= T + 96 * HOUR_MS; at += intervalH * HOUR_MS) {
            settlements.add(random.settlement(at, intervalH));
        }
        okx = random.contract("okx", intervalH);
        gate = random.contract("gate", intervalH);
    }

    private void read(Contract contract, BigDecimal price, long atMs) {
        list(asset, contract.priced(price), atMs);
    }

    /** The table of an instant, with every settlement up to another one. */
    private CarryTable table(long nowMs, long settledUpToMs) {
        ContractSettlements known = ledger(
                settlements.stream().filter(p -> p.settledMs() <= settledUpToMs).toList());
        return table(nowMs, contract -> known);
    }

    private CarryTable table(long nowMs, Function<Contract, ContractSettlements> ledgers) {
        return PairTable.of(
                "BTC",
                asset.values().stream()
                        .map(listed -> new PairTable.Input(listed, ledgers.apply(listed.contract())))
                        .toList(),
                Window.at(nowMs));
    }

    private void restart() {
        asset.replaceAll((key, listed) -> StoredJson.read(PricedContract.CODEC, PricedContract.CODEC.encode(listed)));
    }

    /** The only pair as of an instant, with every settlement up to it. */
    private CarryPair pair(long nowMs) {
        return table(nowMs, nowMs).pairs().getFirst();
    }

    /** Gate at a cent and OKX at three dollars are two coins. */
    private void assertRefused(long nowMs, long settledUpToMs) {
        CarryTable table = table(nowMs, settledUpToMs);
        assertEquals(List.of(), table.pairs());
        assertEquals(
                List.of(new CarryRefusal("gate", "BTC-GATE", CENT, "okx", "BTC-OKX", THREE, "price_differs")),
                table.refused());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 24})
    void silentLegMakesNoPairOfTwoCoins(int intervalH) {
        for (Set<String> silent : List.of(Set.of("okx"), Set.of("gate"), Set.of("okx", "gate"))) {
            for (boolean historyGoesOn : new boolean[] {true, false}) {
                asset.clear();
                settleEvery(intervalH);
                read(okx, THREE, T);
                read(gate, CENT, T + MINUTE_MS);
                for (int hour = 1; hour <= 10; hour++) {
                    long now = T + hour * HOUR_MS;
                    if (!silent.contains("okx")) {
                        read(okx, THREE, now);
                    }
                    if (!silent.contains("gate")) {
                        read(gate, CENT, now + MINUTE_MS);
                    }
                    if (hour == 5) {
                        restart();
                    }
                    long settledMs = historyGoesOn ? now : T;
                    assertRefused(now + 20 * MINUTE_MS, settledMs);
                }
            }
        }
    }

    /** All legs are silent while ingest is down, and come back one after the other. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 10})
    void outageOfIngestMakesNoPairOfCoins(int hoursDown) {
        settleEvery(8);
        read(okx, THREE, T);
        read(gate, CENT, T);
        long back = T + hoursDown * HOUR_MS;
        assertRefused(back, back);
        read(gate, THREE, back + MINUTE_MS);
        if (hoursDown > 1) {
            assertRefused(back + 2 * MINUTE_MS, back);
            restart();
            assertRefused(back + 3 * MINUTE_MS, back);
        }
        read(okx, THREE, back + 40 * MINUTE_MS);
        CarryPair pair = table(back + 41 * MINUTE_MS, back).pairs().getFirst();
        assertTrue(pair.complete(), "they are one coin now");
    }

    /** First one leg is silent, then the other: the later comparison stands, whichever contract keeps it. */
    @Test
    void theNewerOfTwoComparisonsStands() {
        settleEvery(8);
        read(okx, THREE, T);
        read(gate, CENT, T);
        read(gate, CENT, T + 2 * HOUR_MS);
        read(okx, CENT, T + 3 * HOUR_MS - MINUTE_MS);
        assertTrue(table(T + 3 * HOUR_MS, T).pairs().getFirst().complete());
        for (int hour = 4; hour < 8; hour++) {
            read(okx, THREE, T + hour * HOUR_MS);
            assertTrue(pair(T + hour * HOUR_MS).complete());
        }
        restart();
        assertTrue(pair(T + 8 * HOUR_MS).complete());
        read(gate, CENT, T + 8 * HOUR_MS);
        assertRefused(T + 8 * HOUR_MS + MINUTE_MS, T + 8 * HOUR_MS);
    }

    /** A silent leg's price is of its time: the market may double while it is silent, and it is still the same coin. */
    @Test
    void priceOfSilentLegRefusesNoPair() {
        settleEvery(8);
        read(okx, THREE, T);
        read(gate, THREE, T);
        for (int hour = 1; hour <= 30; hour++) {
            read(gate, THREE.multiply(BigDecimal.valueOf(hour)), T + hour * HOUR_MS);
        }
        assertTrue(pair(T + 30 * HOUR_MS).complete());
    }

    /** A delisted contract stays in the table for a month; its pairs are incomplete, not refused. */
    @Test
    void priceOfDelistedContractRefusesNoPair() {
        settleEvery(8);
        read(okx, THREE, T);
        read(gate, THREE, T);
        read(gate, CENT, T + 48 * HOUR_MS);
        List<KnownSettlement> ended =
                settlements.stream().filter(p -> p.settledMs() <= T).toList();
        CarryTable table = table(T + 49 * HOUR_MS, c -> ledger(c.key().equals(okx.key()) ? ended : settlements));
        assertEquals(List.of(), table.refused());
        assertEquals(Coverage.GAP, table.pairs().getFirst().reason());
        assertEquals(0, table.pairs().getFirst().days());
    }

    @Test
    void legsNeverReadWithinHourAreIncomplete() {
        settleEvery(8);
        read(okx, THREE, T);
        read(gate, THREE, T + HOUR_MS + MINUTE_MS);
        CarryPair pair = pair(T + 2 * HOUR_MS);
        assertFalse(pair.complete());
        assertEquals(PairTable.PRICES_NOT_COMPARED, pair.reason());
        assertEquals(30, pair.days());
        read(okx, THREE, T + 2 * HOUR_MS);
        assertTrue(pair(T + 2 * HOUR_MS).complete());
    }

    /** Another contract under the same symbol: what was compared with the former one says nothing about it. */
    @Test
    void aRelistedContractHasNotBeenCompared() {
        settleEvery(8);
        read(okx, THREE, T);
        read(gate, THREE, T);
        read(gate, THREE, T + 2 * HOUR_MS);
        okx = random.contract("okx", 8, T + 4 * HOUR_MS);
        read(okx, CENT, T + 4 * HOUR_MS);
        CarryPair pair = pair(T + 5 * HOUR_MS);
        assertEquals(PairTable.PRICES_NOT_COMPARED, pair.reason());
    }

    /** A venue that leaves its prices out for a while: the last ones stand. */
    @Test
    void omittedPriceChangesNoVerdict() {
        settleEvery(8);
        read(okx, THREE, T);
        read(gate, CENT, T);
        for (int hour = 1; hour < 5; hour++) {
            read(okx, null, T + hour * HOUR_MS);
            read(gate, CENT, T + hour * HOUR_MS);
            assertRefused(T + hour * HOUR_MS, T + hour * HOUR_MS);
        }
    }
}
