package io.fundingobservatory.ingest;

import io.fundingobservatory.ingest.client.RateLimitMode;
import io.fundingobservatory.topics.ListedVenue;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What {@code ingest} polls and how often, below {@code observatory.ingest}. {@code docs/operations/settings.md} has these lines.
 *
 * @param exchanges {@code live}, {@code simulated:http://HOST:PORT} or {@code replay:DIR}
 * @param venues venues to poll here; empty: all
 * @param pollInterval time between two polls of a venue, at least 1 s
 * @param limits {@code published}: a fifth of published limits; {@code none}: for simulated venues only
 * @param trust venues whose rows are published despite guards
 * @param region processes of one region share its venues; empty where all processes poll the same venues
 * @param contact contact address in {@code User-Agent}
 */
@ConfigurationProperties(IngestSettings.PREFIX)
public record IngestSettings(
        @Bindable(defaultValue = "live") String exchanges,
        @Bindable(defaultValue = "") List<String> venues,
        @Bindable(defaultValue = "60s") Duration pollInterval,
        @Bindable(defaultValue = "published") RateLimitMode limits,
        @Bindable(defaultValue = "") List<String> trust,
        @Bindable(defaultValue = "") String region,
        @Bindable(defaultValue = "") String contact) {
    static final String PREFIX = "observatory.ingest";

    /** Every key below the prefix; any other one is a typing error and stops the start. */
    static final Set<String> KEYS =
            Set.of("exchanges", "venues", "poll-interval", "limits", "trust", "region", "contact");

    private static final Duration SHORTEST = Duration.ofSeconds(1);

    public IngestSettings {
        venues = listed("venues", venues);
        trust = listed("trust", trust);
        if (pollInterval.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException(PREFIX + ".poll-interval is at least 1s");
        }
        if (!region.matches("[a-z0-9-]{0,100}")) {
            throw new IllegalArgumentException(PREFIX + ".region has lower-case letters, digits and hyphens only");
        }
        if (limits == RateLimitMode.NONE && !exchanges.startsWith("simulated:")) {
            throw new IllegalArgumentException(PREFIX + ".limits is none for simulated exchanges only");
        }
    }

    private static List<String> listed(String key, List<String> named) {
        List<String> venues =
                named.stream().map(String::strip).filter(v -> !v.isEmpty()).toList();
        for (String venue : venues) {
            if (!ListedVenue.isListed(venue)) {
                throw new IllegalArgumentException(PREFIX + '.' + key + " names a venue that is not listed: " + venue);
            }
        }
        return venues;
    }

    /** Returns whether a venue is polled here. */
    public boolean wants(String venue) {
        return venues.isEmpty() || venues.contains(venue);
    }
}
