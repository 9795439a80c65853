package io.fundingobservatory.standalone.top;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The responses of a service to one round of requests.
 *
 * @param venues {@code /api/v1/venues}
 * @param pairs {@code /api/v1/carry}
 * @param rates {@code /api/v1/latest} of the named assets; null when none is named
 */
public record ServiceView(
        URI base,
        ServiceResponse venues,
        ServiceResponse pairs,
        @Nullable ServiceResponse rates) {
    private static final String VENUES = "/api/v1/venues";

    /** As many assets as one request may name. */
    public static final int MOST_ASSETS = 50;

    /**
     * Requests what is due of the three endpoints. Named assets share one request, which never counts as a
     * name sweep.
     *
     * @param scope the value of {@code venues}: identifiers with commas between them, or {@code all}
     * @param pairs pairs of the ranking, 1 to 250
     */
    public static ServiceView read(ServiceClient service, List<String> assets, String scope, int pairs)
            throws InterruptedException {
        String venues = "venues=" + Query.encoded(scope);
        return new ServiceView(
                service.base(),
                service.read(VENUES),
                service.read("/api/v1/carry?limit=" + pairs + "&" + venues),
                assets.isEmpty()
                        ? null
                        : service.read(
                                "/api/v1/latest?assets=" + Query.encoded(String.join(",", assets)) + "&" + venues));
    }

    /** Why an endpoint could not be read, by endpoint; empty when all of them responded. */
    public Map<String, String> problems() {
        var problems = new TreeMap<String, String>();
        put(problems, VENUES, venues);
        put(problems, "/api/v1/carry", pairs);
        if (rates != null) {
            put(problems, "/api/v1/latest", rates);
        }
        return problems;
    }

    private static void put(Map<String, String> problems, String address, ServiceResponse response) {
        if (response.problem() != null) {
            problems.put(address, response.problem());
        }
    }

    /** Returns whether each requested endpoint has responded at least once. */
    public boolean isWhole() {
        return responses().stream().noneMatch(ServiceResponse::isEmpty);
    }

    /** When the first of the addresses may be requested again, by the clock of the client. */
    public long dueNanos() {
        long due = venues.dueNanos();
        for (ServiceResponse response : responses()) {
            due = response.dueNanos() - due < 0 ? response.dueNanos() : due;
        }
        return due;
    }

    private List<ServiceResponse> responses() {
        var responses = new ArrayList<>(List.of(venues, pairs));
        if (rates != null) {
            responses.add(rates);
        }
        return responses;
    }
}
