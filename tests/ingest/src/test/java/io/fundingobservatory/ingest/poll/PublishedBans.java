package io.fundingobservatory.ingest.poll;

import java.time.Duration;
import java.util.Map;

/** How long exchanges shut out whom they refuse, by their own pages of limits: they are left alone for so long. */
public final class PublishedBans {
    private static final Map<String, Duration> BY_VENUE_AND_STATUS = Map.of(
            "bybit HTTP 403", Duration.ofMinutes(10),
            "bingx HTTP 418", Duration.ofMinutes(5),
            "xt HTTP 429", Duration.ofMinutes(10),
            "phemex HTTP 429", Duration.ofMinutes(5));

    private PublishedBans() {}

    /**
     * From a refusal on.
     *
     * @param status as in reasons, such as {@code HTTP 403}
     * @return zero where nothing is published
     */
    public static Duration of(String venue, String status) {
        return BY_VENUE_AND_STATUS.getOrDefault(venue + ' ' + status, Duration.ZERO);
    }
}
