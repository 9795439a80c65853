package io.fundingobservatory.ingest.backfill;

import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.VenueResponses;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** One of the endpoints that may have a contract's history, with the key that it takes. */
record HistoryEndpoint(History history, String key) {
    /** Those of each live contract: an exchange has several endpoints when it has several books. */
    static Map<String, List<HistoryEndpoint>> bySymbol(
            List<History> histories, Set<String> live, VenueResponses responses) {
        var found = new HashMap<String, List<HistoryEndpoint>>();
        for (History history : histories) {
            if (history.keys() == null) {
                live.forEach(symbol -> add(found, symbol, new HistoryEndpoint(history, symbol)));
            } else {
                history.keys().apply(responses).forEach((key, symbol) -> {
                    if (live.contains(symbol)) {
                        add(found, symbol, new HistoryEndpoint(history, key));
                    }
                });
            }
        }
        return found;
    }

    private static void add(Map<String, List<HistoryEndpoint>> endpoints, String symbol, HistoryEndpoint endpoint) {
        endpoints.merge(
                symbol,
                List.of(endpoint),
                (some, more) -> Stream.concat(some.stream(), more.stream()).toList());
    }
}
