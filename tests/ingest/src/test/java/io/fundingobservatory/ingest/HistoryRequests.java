package io.fundingobservatory.ingest;

import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import java.net.URI;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Distinguishes an exchange's requests for settled rates from its others, by the declared URLs. */
final class HistoryRequests {
    private HistoryRequests() {}

    static Predicate<SimulatedRequest> of(Venue venue) {
        List<History> histories = venue.spec().allHistory();
        return request -> histories.stream().anyMatch(history -> matches(history.declared(), request));
    }

    private static boolean matches(VenueRequest history, SimulatedRequest request) {
        // braces are no part of an address
        URI declared = URI.create(history.url().replace('{', '(').replace('}', ')'));
        return history.method().equals(request.method())
                && declared.getHost().equals(request.host())
                && pattern(declared.getPath()).matcher(request.path()).matches()
                && query(declared.getRawQuery(), request)
                && (history.body() == null
                        || pattern(history.body().replaceAll("\\{(\\w+)}", "($1)"))
                                .matcher(request.body())
                                .matches());
    }

    private static boolean query(@Nullable String declared, SimulatedRequest request) {
        if (declared == null) {
            return true;
        }
        for (String pair : declared.split("&")) {
            String[] halves = pair.split("=", 2);
            String value = request.query().get(halves[0]);
            if (halves.length == 2
                    && !halves[0].contains("(")
                    && (value == null || !pattern(halves[1]).matcher(value).matches())) {
                return false;
            }
        }
        return true;
    }

    /** With anything in the places of the declared names. */
    private static Pattern pattern(String declared) {
        return Pattern.compile("\\Q" + declared.replaceAll("\\(\\w+\\)", "\\\\E.*\\\\Q") + "\\E", Pattern.DOTALL);
    }
}
