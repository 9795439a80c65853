package io.fundingobservatory.ingest.backfill;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.VenueResponses;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One of the endpoints that may have a contract's history, with the key that it takes. */
record HistoryEndpoint(History history, String key) {
    /** Those of each live contract: an exchange has several endpoints when it has several books. */
    static Map<String, List<HistoryEndpoint>> bySymbol(
            List<History> histories, Set<String> live, VenueResponses responses) {
        var found = new HashMap<String, List<HistoryEndpoint>>();
        for (History history : histories) {
            Map<String, String> keys = history.keys() == null
                    ? live.stream().collect(toMap(identity(), identity()))
                    : history.keys().apply(responses);
            keys.forEach((key, symbol) -> {
                if (live.contains(symbol)) {
                    found.computeIfAbsent(symbol, s -> new ArrayList<>()).add(new HistoryEndpoint(history, key));
                }
            });
        }
        return found;
    }
}
