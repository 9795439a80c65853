package io.fundingobservatory.ingest.backfill;

import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.client.Pages;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.json.SkipReason;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.SettledRate;
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
    private final Pages.Sender source;
    private final Time time;
    private final SettlementOutput output;
    private @Nullable String problem;
    private @Nullable String refused;

    HistoryReader(Venue venue, Pages.Sender source, Time time, SettlementOutput output) {
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
            var pages = new ContractPages(contract, cursor);
            FetchResult last = pages.read(source, () -> endMs - time.elapsedMs());
            String why = cursor.hasMore() ? pages.endpoint() + ": " + last.reason() : "";
            Progress ended = switch (last) {
                case FetchResult.Received received -> Progress.FINISHED;
                case FetchResult.NoAllowance unsent -> Progress.WAITING;
                case FetchResult.BackedOff unsent -> hindered(why, Progress.WAITING);
                case FetchResult.Throttled throttled -> hindered(why, Progress.WAITING);
                case FetchResult.Unreadable unpublished
                when pages.isBrokerAway -> hindered(unpublished.reason(), Progress.BROKER_AWAY);
                case FetchResult.Unreadable page when pages.isRejected -> refused(contract, cursor, why);
                case FetchResult.Failed failed when !failed.retryable() -> refused(contract, cursor, why);
                case FetchResult.Banned banned -> {
                    // a ban may be of this contract alone: after the pause another one comes first
                    contract.backOff(why, time.nowMs());
                    yield hindered(why, Progress.WAITING);
                }
                case FetchResult.NoResponse lost -> {
                    contract.backOff(why, time.nowMs());
                    yield hindered(why, Progress.LOST_CONNECTION);
                }
                case FetchResult.Failed ownFailure -> failed(contract, why);
                case FetchResult.Unreadable body -> failed(contract, why);
            };
            if (ended != null) {
                return ended;
            }
        }
        return Progress.FINISHED;
    }

    /** The server fails at this contract, and the next one may be well. */
    private Progress failed(ContractBackfill contract, String why) {
        contract.backOff(why, time.nowMs());
        return Progress.WAITING;
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

    /** The pages of a contract that are left, of all its endpoints. */
    private final class ContractPages extends Pages {
        private final ContractBackfill contract;
        private final HistoryCursor cursor;
        private boolean isRejected;
        private boolean isBrokerAway;

        ContractPages(ContractBackfill contract, HistoryCursor cursor) {
            this.contract = contract;
            this.cursor = cursor;
        }

        @Override
        protected String endpoint() {
            return cursor.endpoint().name();
        }

        @Override
        protected @Nullable VenueRequest next() {
            return cursor.hasMore() ? cursor.request() : null;
        }

        @Override
        protected @Nullable String take(FetchResult.Received page) {
            Long newest = cursor.newestMs() == null ? contract.newestMs() : cursor.newestMs();
            var read = new Settlements(spec, contract.symbol(), page.readAtMs()).after(symbol -> newest);
            try {
                venue.readHistory(page.body(), read);
            } catch (RuntimeException e) {
                return rejected(
                        "unreadable, " + (e instanceof Skip skip ? skip.reason().toString() : e.toString()), e);
            }
            contract.skippedRows(output.skipped(read));
            SkipReason whyNone = read.whyNone();
            if (whyNone != null) {
                String why = "no row could be read, " + whyNone;
                if (!cursor.isAmid()) {
                    return rejected(why, Skip.because(whyNone));
                }
                output.unreadable(endpoint(), Skip.because(whyNone));
                problem = endpoint() + ": " + why;
            }
            List<SettledRate> fresh = read.own().stream()
                    .filter(settled -> cursor.covers(settled.settledMs()))
                    .toList();
            if (!fresh.isEmpty() && !output.publish(fresh)) {
                isBrokerAway = true;
                return "Kafka has not taken what was read";
            }
            boolean gapless = cursor.oldestFirst();
            cursor.received(read);
            if (gapless && cursor.hasMore() && cursor.newestMs() != null) {
                contract.reached(cursor.newestMs());
                output.progress(contract);
            }
            return null;
        }

        private String rejected(String why, RuntimeException cause) {
            output.unreadable(endpoint(), cause);
            isRejected = true;
            return why;
        }
    }
}
