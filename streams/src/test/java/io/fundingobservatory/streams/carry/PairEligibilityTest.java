package io.fundingobservatory.streams.carry;

import static io.fundingobservatory.streams.carry.LedgerTables.table;
import static io.fundingobservatory.streams.carry.RandomLedgers.DAY_MS;
import static io.fundingobservatory.streams.carry.RandomLedgers.T;
import static io.fundingobservatory.streams.carry.RandomLedgers.WINDOW;
import static io.fundingobservatory.streams.carry.RandomLedgers.ledger;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.payments.Ledger;
import io.fundingobservatory.streams.payments.Payment;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which contracts are compared, and what a price changes. */
class PairEligibilityTest {
    // Eligibility.

    @Test
    void onlyEqualThingsAreCompared() {
        var random = new RandomLedgers(5);
        List<Payment> payments = random.constant(8, 0);
        Contract linear = random.contract("okx", 8);
        Contract sameVenue = new Contract(
                new io.fundingobservatory.topics.records.ContractKey("okx", "BTC-2"),
                0,
                Long.MIN_VALUE,
                "BTC",
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
        var ledgers = new LinkedHashMap<Contract, Ledger>();
        for (Contract contract : List.of(linear, sameVenue, inverse, quanto, dearer, priceless)) {
            ledgers.put(contract, ledger(payments));
        }
        CarryTable table = table(ledgers);
        assertEquals(List.of(), table.pairs());
        assertEquals(5, table.refused().size());
        assertEquals(
                2,
                table.refused().stream()
                        .filter(r -> r.reason().equals("price_differs"))
                        .count());
    }

    private static Contract with(Contract c, ContractType type, BigDecimal price) {
        return new Contract(c.key(), 0, Long.MIN_VALUE, c.asset(), type, c.currentIntervalH(), price);
    }

    /** A contract that is no longer read keeps its last price: that refuses nothing, its pairs are incomplete instead. */
    @Test
    void theLastPriceOfADelistedContractRefusesNoPair() {
        var random = new RandomLedgers(6);
        var contracts = new AssetContracts("BTC");
        Contract read = random.contract("okx", 8);
        Contract delisted = with(random.contract("bybit", 8), ContractType.LINEAR, new BigDecimal(30_000));
        contracts.list(read, T + 600_000);
        contracts.list(delisted, T + 600_000);
        List<Payment> payments = random.constant(8, 0);
        List<Payment> ended =
                payments.stream().filter(p -> p.settledMs() < T - 2 * DAY_MS).toList();
        Map<Contract, Ledger> ledgers = Map.of(read, ledger(payments), delisted, ledger(ended));
        assertEquals(
                1, contracts.tabulate(WINDOW, ledgers::get).table().refused().size());
        contracts.list(delisted, T - 2 * DAY_MS);
        CarryTable table = contracts.tabulate(WINDOW, ledgers::get).table();
        assertEquals(List.of(), table.refused());
        assertEquals("gap", table.pairs().getFirst().reason());
        assertEquals(0, table.pairs().getFirst().days());
    }

    @Test
    void aPriceConcernsTheTableOnlyWhereItRefusesAPair() {
        var random = new RandomLedgers(6);
        var contracts = new AssetContracts("BTC");
        Contract okx = with(random.contract("okx", 8), ContractType.LINEAR, new BigDecimal(60_000));
        Contract bybit = with(random.contract("bybit", 8), ContractType.LINEAR, new BigDecimal(60_100));
        assertTrue(contracts.list(okx, T));
        assertTrue(contracts.list(bybit, T));
        assertFalse(contracts.list(okx.priced(new BigDecimal(61_000)), T));
        assertTrue(contracts.list(okx.priced(new BigDecimal(70_000)), T));
        assertTrue(contracts.list(okx.priced(new BigDecimal(71_000)), T), "it stands in the refusal");
        assertTrue(contracts.list(okx.priced(new BigDecimal(60_000)), T));
        assertTrue(contracts.list(okx.priced(null), T), "unknown");
        assertFalse(contracts.list(okx.priced(null), T + 1), "a sign of life");
    }
}
