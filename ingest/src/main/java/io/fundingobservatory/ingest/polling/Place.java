package io.fundingobservatory.ingest.polling;

import io.fundingobservatory.ingest.reading.Answers;
import io.fundingobservatory.ingest.reading.History;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** One of the addresses at which a contract's history may be found, with the key that it takes. */
record Place(History history, String key) {
    /** Those of each live contract: an exchange has several addresses when it has several books. */
    static Map<String, List<Place>> bySymbol(List<History> histories, Set<String> live, Answers answers) {
        var found = new HashMap<String, List<Place>>();
        for (History history : histories) {
            if (history.keys() == null) {
                live.forEach(symbol -> add(found, symbol, new Place(history, symbol)));
            } else {
                history.keys().apply(answers).forEach((key, symbol) -> {
                    if (live.contains(symbol)) {
                        add(found, symbol, new Place(history, key));
                    }
                });
            }
        }
        return found;
    }

    private static void add(Map<String, List<Place>> places, String symbol, Place place) {
        places.merge(
                symbol,
                List.of(place),
                (some, more) -> Stream.concat(some.stream(), more.stream()).toList());
    }
}
