package io.fundingobservatory.streams.carry;

import static io.fundingobservatory.streams.carry.RandomLedgers.HOUR_MS;
import static io.fundingobservatory.streams.carry.RandomLedgers.T;
import static io.fundingobservatory.streams.carry.RandomLedgers.WINDOW;
import static io.fundingobservatory.streams.carry.RandomLedgers.ledger;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.settlements.ContractSettlements;
import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.ContractKey;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** Tables, pairs and legs of ledgers over one window, and the plain sum that they are compared with. */
final class LedgerTables {
    private LedgerTables() {}

    static CarryTable table(Map<Contract, ContractSettlements> ledgers) {
        return PairTable.of(
                "BTC",
                ledgers.entrySet().stream()
                        .map(e -> new PairTable.Input(PricedContract.first(e.getKey(), T), e.getValue()))
                        .toList(),
                WINDOW);
    }

    /** Lists a contract among those of its asset, as the store of contracts does; returns whether their table may change. */
    static boolean list(Map<ContractKey, PricedContract> contracts, Contract contract, long atMs) {
        PricedContract before = contracts.get(contract.key());
        PricedContract now = before == null
                ? PricedContract.first(contract, atMs)
                : before.published(contract, atMs, contracts.values());
        contracts.put(contract.key(), now);
        return before == null || now.changesTableOf(before, contracts.values());
    }

    static CarryPair pair(
            Contract a,
            Iterable<KnownSettlement> settlementsOfA,
            Contract b,
            Iterable<KnownSettlement> settlementsOfB) {
        return table(Map.of(a, ledger(settlementsOfA), b, ledger(settlementsOfB)))
                .pairs()
                .getFirst();
    }

    static Leg leg(Contract contract, ContractSettlements ledger) {
        return new Leg(PricedContract.first(contract, T), ledger, WINDOW);
    }

    static Leg leg(Contract contract, Iterable<KnownSettlement> settlements) {
        return leg(contract, ledger(settlements));
    }

    static List<KnownSettlement> inWindow(List<KnownSettlement> settlements) {
        return settlements.stream()
                .filter(p -> p.settledMs() > T - 720 * HOUR_MS && p.settledMs() <= T)
                .toList();
    }

    static BigDecimal sum(List<KnownSettlement> settlements) {
        return inWindow(settlements).stream().map(KnownSettlement::rate).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    static void assertSame(BigDecimal expected, BigDecimal actual) {
        assertTrue(expected.compareTo(actual) == 0, expected + " is not " + actual);
    }

    static int hours(List<KnownSettlement> settlements) {
        return settlements.getLast().intervalH().intValueExact();
    }
}
