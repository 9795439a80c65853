package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.Rate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Contracts that no pair in scope can have. Linear contracts of an asset pair with linear ones at other exchanges, inverse with inverse, and
 * quanto with none.
 *
 * @param contracts those with a row now, in the order of the list
 */
record UnpairedContracts(List<Rate> contracts) {
    private static final int NAMED = 5;
    private static final String SEVERAL = "";

    static UnpairedContracts of(Snapshot snapshot, Scope scope) {
        List<Rate> rows = snapshot.states(scope).stream()
                .flatMap(state -> state.rows().rows(scope).stream())
                .map(EncodedRow::rate)
                .toList();
        Map<ContractType, Map<String, String>> venueOf = new EnumMap<>(ContractType.class);
        for (Rate row : rows) {
            venueOf.computeIfAbsent(row.contractType(), type -> new HashMap<>())
                    .merge(row.asset(), row.venue(), (one, other) -> one.equals(other) ? one : SEVERAL);
        }
        var alone = new ArrayList<Rate>();
        for (Rate row : rows) {
            boolean paired = row.contractType() != ContractType.QUANTO
                    && SEVERAL.equals(
                            venueOf.getOrDefault(row.contractType(), Map.of()).get(row.asset()));
            if (!paired) {
                alone.add(row);
            }
        }
        return new UnpairedContracts(alone);
    }

    /** Names the first few, with what they would pair with. */
    String named() {
        return contracts.stream()
                        .limit(NAMED)
                        .map(row -> row.venue() + ' ' + row.symbol() + " ("
                                + row.contractType().name().toLowerCase(Locale.ROOT) + ')')
                        .collect(Collectors.joining(", "))
                + (contracts.size() > NAMED ? " and others" : "")
                + ": linear pairs with linear and inverse with inverse, at different exchanges; quanto with none";
    }
}
