package io.fundingobservatory.ingest.backfill;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import io.fundingobservatory.ingest.json.ReasonText;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.json.SkipReason;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.publish.Publisher;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.topics.records.HistoryProgress;
import io.fundingobservatory.topics.records.SettledRate;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Publishes the settlements of one venue, and remembers the gaps between the newest ones. */
final class SettlementOutput {
    private final String venue;
    private final Publisher output;
    private final IngestEvents events;
    private final SettlementGaps gaps = new SettlementGaps();

    SettlementOutput(String venue, Publisher output, IngestEvents events) {
        this.venue = venue;
        this.output = output;
        this.events = events;
    }

    SettlementGaps gaps() {
        return gaps;
    }

    /** Returns whether all of them have been acknowledged. */
    boolean publish(List<SettledRate> settled) {
        gaps.settled(settled);
        boolean taken = output.publishSettled(settled);
        events.settled(venue, taken ? settled.size() : 0);
        return taken;
    }

    void progress(ContractBackfill contract) {
        List<Long> newest = gaps.newest(contract.symbol());
        output.publishProgress(new HistoryProgress(
                venue,
                contract.symbol(),
                contract.newestMs(),
                contract.isWhole(),
                newest.size() > 1 ? newest.get(1) : null,
                newest.size() > 2 ? newest.get(2) : null));
    }

    /**
     * Counts the rows of a response that were left out. Returns the most frequent reason of those that could not be read; null
     * when there is none.
     */
    @Nullable
    SkipReason skipped(Settlements read) {
        List<SkipReason> unread =
                read.skipped().stream().map(Rows.Skipped::reason).toList();
        unread.stream()
                .collect(groupingBy(Function.identity(), counting()))
                .forEach((reason, rows) -> events.skippedSettlements(venue, reason, rows));
        int special = read.specialPayments().size();
        if (special > 0) {
            events.skippedSettlements(venue, Skip.SPECIAL_PAYMENT, special);
        }
        return ReasonText.mostFrequent(unread);
    }

    void unreadable(String request, RuntimeException why) {
        events.unreadable(venue, request, why);
    }
}
