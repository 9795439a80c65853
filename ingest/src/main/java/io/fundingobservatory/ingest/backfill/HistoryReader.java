package io.fundingobservatory.ingest.backfill;

import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.client.RateLimitedClient.Admission;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.json.SkipReason;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.SettledRate;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads pages of one contract after another and publishes new settlements. Remembers what hindered it. */
final class HistoryReader {
    enum Progress {
        /** Requests were sent to its endpoints, whether or not they responded. */
        FINISHED,
        /** No allowance in time, throttled, paused, failed, or refused after its first pages: the reading continues later. */
        WAITING,
        /** No response came, which may have taken a whole deadline: the contract has been backed off. */
        LOST_CONNECTION,
        /** Kafka has not taken what was read: it is requested again. */
        BROKER_AWAY
    }

    private final Venue venue;
    private final VenueSpec spec;
    private final HistorySource source;
    private final Time time;
    private final SettlementOutput output;
    private @Nullable String problem;
    private @Nullable String refused;

    HistoryReader(Venue venue, HistorySource source, Time time, SettlementOutput output) {
        this.venue = venue;
        this.spec = venue.spec();
        this.source = source;
        this.time = time;
        this.output = output;
    }

    void begin() {
        problem = null;
    }

    /** Returns the problem of the run as a whole; null when there is none. */
    @Nullable
    String problem() {
        return problem;
    }

    /** Why the requests of the contract that was read last failed; null when they did not. */
    @Nullable
    String refused() {
        return refused;
    }

    Progress read(ContractBackfill contract, HistoryCursor cursor, long endMs) throws InterruptedException {
        refused = null;
        while (cursor.hasMore()) {
            String endpoint = cursor.endpoint().name();
            long left = Math.max(0, endMs - time.elapsedMs());
            switch (source.history(cursor.request(), endpoint, Duration.ofMillis(left))) {
                case Admission.NoAllowance() -> {
                    return Progress.WAITING;
                }
                case Admission.Paused(String reason) -> {
                    return hindered(endpoint + ": " + reason, Progress.WAITING);
                }
                case Admission.Admitted(FetchResult fetched) -> {
                    Progress ended = take(contract, cursor, endpoint, fetched);
                    if (ended != null) {
                        return ended;
                    }
                }
            }
        }
        return Progress.FINISHED;
    }

    /** Deals with one response; null when the reading goes on. */
    private @Nullable Progress take(
            ContractBackfill contract, HistoryCursor cursor, String endpoint, FetchResult fetched) {
        String why = endpoint + ": " + fetched.reason();
        return switch (fetched) {
            case FetchResult.Received received -> read(contract, cursor, endpoint, received);
            case FetchResult.Failed failed when !failed.retryable() -> refused(contract, cursor, why);
            case FetchResult.Throttled throttled -> hindered(why, Progress.WAITING);
            case FetchResult.Banned banned -> {
                // a ban may be of this contract alone: after the pause another one comes first
                contract.backOff(why, time.nowMs());
                yield hindered(why, Progress.WAITING);
            }
            case FetchResult.NoResponse noResponse -> {
                contract.backOff(why, time.nowMs());
                yield hindered(why, Progress.LOST_CONNECTION);
            }
            case FetchResult ownFailure -> {
                // the server fails at this contract, and the next one may be well
                contract.backOff(why, time.nowMs());
                yield Progress.WAITING;
            }
        };
    }

    private Progress hindered(String why, Progress ended) {
        problem = why;
        return ended;
    }

    /**
     * Handles an error of an endpoint. On the first page, the endpoint does not have the contract, and the next one may. After a page, the
     * error most often lasts for a while, and the reading continues later.
     */
    private @Nullable Progress refused(ContractBackfill contract, HistoryCursor cursor, String why) {
        refused = why;
        if (cursor.isAmid() && contract.backOffAmid(why, time.nowMs())) {
            return Progress.WAITING;
        }
        cursor.refused();
        return null;
    }

    private @Nullable Progress read(
            ContractBackfill contract, HistoryCursor cursor, String endpoint, FetchResult.Received received) {
        Long newest = cursor.newestMs() == null ? contract.newestMs() : cursor.newestMs();
        var read = new Settlements(spec, contract.symbol(), received.readAtMs()).after(symbol -> newest);
        try {
            venue.readHistory(received.body(), read);
        } catch (RuntimeException e) {
            output.unreadable(endpoint, e);
            String why = e instanceof Skip skip ? skip.reason().toString() : e.toString();
            return refused(contract, cursor, endpoint + ": unreadable, " + why);
        }
        contract.skippedRows(output.skipped(read));
        SkipReason whyNone = read.whyNone();
        if (whyNone != null) {
            output.unreadable(endpoint, Skip.because(whyNone));
            String why = endpoint + ": no row could be read, " + whyNone;
            if (!cursor.isAmid()) {
                return refused(contract, cursor, why);
            }
            problem = why;
        }
        List<SettledRate> fresh =
                read.own().stream().filter(s -> cursor.covers(s.settledMs())).toList();
        if (!fresh.isEmpty() && !output.publish(fresh)) {
            return hindered("Kafka has not taken what was read", Progress.BROKER_AWAY);
        }
        boolean gapless = cursor.oldestFirst();
        cursor.received(read);
        if (gapless && cursor.hasMore() && cursor.newestMs() != null) {
            contract.reached(cursor.newestMs());
            output.progress(contract);
        }
        return null;
    }
}
