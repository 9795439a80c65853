package io.fundingobservatory.ingest.history;

import io.fundingobservatory.ingest.answers.Answers;
import io.fundingobservatory.ingest.header.History;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** One of the addresses at which a contract's history may be found, with the key that it takes. */
record HistoryAddress(History history, String key) {
    /** Those of each live contract: an exchange has several addresses when it has several books. */
    static Map<String, List<HistoryAddress>> bySymbol(List<History> histories, Set<String> live, Answers answers) {
        var found = new HashMap<String, List<HistoryAddress>>();
        for (History history : histories) {
            if (history.keys() == null) {
                live.forEach(symbol -> add(found, symbol, new HistoryAddress(history, symbol)));
            } else {
                history.keys().apply(answers).forEach((key, symbol) -> {
                    if (live.contains(symbol)) {
                        add(found, symbol, new HistoryAddress(history, key));
                    }
                });
            }
        }
        return found;
    }

    private static void add(Map<String, List<HistoryAddress>> addresses, String symbol, HistoryAddress address) {
        addresses.merge(
                symbol,
                List.of(address),
                (some, more) -> Stream.concat(some.stream(), more.stream()).toList());
    }
}
