package io.fundingobservatory.gateway.core;

import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Rate;
import io.fundingobservatory.topics.VenueStatus;
import java.util.Map;

/**
 * Decides when the first list may be shown: when every exchange that answers has its rows in it, or as complete as it got within the
 * deadline, but never empty.
 *
 * <p>After a stop the topics still hold what a former run left. Its rows do not count once they are as old as a row that is marked
 * stale; its statuses do not count once they are older than two polls and a half, for a running poller publishes one with every poll,
 * once a minute, whether the exchange was asked or not.
 */
public final class Completeness {
    /** A status this old is of a poller that runs no more. Polls are a minute apart, the first two up to 75 s. */
    static final long STATUS_LASTS_MS = 150_000;

    private Completeness() {}

    /**
     * Whether a first list may be shown.
     *
     * @param rows rows by venue, their ages told as of {@code nowMs}
     * @param statuses what each poller last said, by venue
     * @param nowMs epoch ms UTC
     * @param deadlinePassed whether waiting has lasted as long as it may
     */
    public static boolean firstListReady(
            Map<String, VenueRows> rows, Map<String, PublishedStatus> statuses, long nowMs, boolean deadlinePassed) {
        boolean anyRow = rows.values().stream().anyMatch(held -> held.size() > 0);
        return anyRow && (deadlinePassed || everyVenueArrived(rows, statuses, nowMs));
    }

    /** Whether any row is young enough to be of pollers that run now. */
    public static boolean begun(Map<String, VenueRows> rows) {
        return rows.values().stream().anyMatch(held -> held.fresh() > 0);
    }

    private static boolean everyVenueArrived(
            Map<String, VenueRows> rows, Map<String, PublishedStatus> statuses, long nowMs) {
        boolean anyReader = false;
        for (ListedVenue venue : ListedVenue.ALL) {
            PublishedStatus published = statuses.get(venue.id());
            // A venue that has said nothing yet may be about to: only silence until the deadline counts as an answer.
            if (published == null) {
                return false;
            }
            VenueStatus status = published.status();
            if (status.rateKind() == null) {
                continue;
            }
            anyReader = true;
            VenueRows held = rows.get(venue.id());
            if (!arrived(published, held == null ? 0 : held.fresh(), nowMs)) {
                return false;
            }
        }
        return anyReader;
    }

    private static boolean arrived(PublishedStatus published, int freshRows, long nowMs) {
        VenueStatus status = published.status();
        if (nowMs - published.publishedAtMs() > STATUS_LASTS_MS) {
            return false;
        }
        Long success = status.lastSuccessMs();
        Long promised = status.symbols();
        if (success == null || promised == null) {
            // Asked and not answered, or not to be asked now; without a reason it has not been asked yet.
            return status.lastAttemptMs() != null || status.reason() != null;
        }
        // A poller that runs and has had no answer for so long says so in its status: there is nothing to wait for.
        boolean answers = nowMs - success <= Rate.STALE_AFTER_MS;
        return answers ? freshRows >= promised : status.reason() != null;
    }
}
