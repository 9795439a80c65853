package io.fundingobservatory.streams.carry;

import static io.fundingobservatory.streams.carry.LedgerTables.list;
import static io.fundingobservatory.streams.carry.LedgerTables.table;
import static io.fundingobservatory.streams.carry.RandomLedgers.HOUR_MS;
import static io.fundingobservatory.streams.carry.RandomLedgers.T;
import static io.fundingobservatory.streams.carry.RandomLedgers.ledger;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.settlements.ContractSettlements;
import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which contracts are compared, and what a price changes. */
class PairEligibilityTest {
    // Eligibility.

    @Test
    void onlyEqualThingsAreCompared() {
        var random = new RandomLedgers(5);
        List<KnownSettlement> settlements = random.constant(8, 0);
        Contract linear = random.contract("okx", 8);
        Contract sameVenue = new Contract(
                new ContractKey("okx", "BTC-2"),
                0,
                Long.MIN_VALUE,
                "BTC",
                "USDT",
                ContractType.LINEAR,
                null,
                linear.coinPrice());
        Contract inverse = with(random.contract("bybit", 8), ContractType.INVERSE, linear.coinPrice());
        Contract quanto = with(random.contract("gate", 8), ContractType.QUANTO, linear.coinPrice());
        Contract dearer = with(
                random.contract("mexc", 8),
                ContractType.LINEAR,
                linear.coinPrice().multiply(new BigDecimal("1.0501")));
        Contract priceless = with(random.contract("xt", 8), ContractType.LINEAR, null);
        var ledgers = new LinkedHashMap<Contract, ContractSettlements>();
        for (Contract contract : List.of(linear, sameVenue, inverse, quanto, dearer, priceless)) {
            ledgers.put(contract, ledger(settlements));
        }
        CarryTable table = table(ledgers);
        assertEquals(
                List.of("mexc okx", "mexc okx"),
                table.refused().stream()
                        .map(refused -> refused.venueA() + " " + refused.venueB())
                        .toList());
        assertEquals(
                List.of("mexc xt prices_not_compared", "okx xt prices_not_compared", "okx xt prices_not_compared"),
                table.pairs().stream()
                        .map(pair ->
                                pair.longLeg().venue() + " " + pair.shortLeg().venue() + " " + pair.reason())
                        .toList());
    }

    private static Contract with(Contract c, ContractType type, BigDecimal price) {
        return new Contract(c.key(), 0, Long.MIN_VALUE, c.asset(), c.quote(), type, c.currentIntervalH(), price);
    }

    @Test
    void priceConcernsTableOnlyWhereItRefuses() {
        var random = new RandomLedgers(6);
        var contracts = new TreeMap<ContractKey, PricedContract>();
        Contract okx = with(random.contract("okx", 8), ContractType.LINEAR, new BigDecimal(60_000));
        Contract bybit = with(random.contract("bybit", 8), ContractType.LINEAR, new BigDecimal(60_100));
        assertTrue(list(contracts, okx, T));
        assertTrue(list(contracts, bybit, T));
        assertFalse(list(contracts, okx.priced(new BigDecimal(61_000)), T));
        assertTrue(list(contracts, okx.priced(new BigDecimal(70_000)), T));
        assertTrue(list(contracts, okx.priced(new BigDecimal(71_000)), T), "the refusal shows it");
        assertTrue(list(contracts, okx.priced(new BigDecimal(60_000)), T));
        assertFalse(list(contracts, okx.priced(null), T + 1), "unknown: the last one stands");
        assertFalse(list(contracts, okx, T + 2 * HOUR_MS), "the other is silent: the last comparison stands");
        assertTrue(list(contracts, bybit.priced(new BigDecimal(1)), T + 2 * HOUR_MS), "compared again");
    }
}
