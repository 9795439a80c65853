package io.fundingobservatory.standalone.progress;

import io.fundingobservatory.standalone.progress.ExchangeProgress.State;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Follows the exchanges from the start until the settled history of each has been read, and reports what changes. */
public final class StartProgress {
    private final long startedMs;
    private final Progress output;
    private final SortedMap<String, ExchangeProgress> exchanges = new TreeMap<>();
    private boolean allPolled;
    private boolean allComplete;
    private long tenths;

    /**
     * Begins to follow.
     *
     * @param venues identifiers of the exchanges that are polled
     * @param startedMs epoch ms UTC; what was polled before is not of this start
     */
    public StartProgress(Collection<String> venues, long startedMs, Progress output) {
        this.startedMs = startedMs;
        this.output = output;
        venues.forEach(venue -> exchanges.put(venue, ExchangeProgress.waiting(venue)));
    }

    /** Takes a status; what is not of this start, or of an exchange that is not polled here, changes nothing. */
    public void accept(VenueStatus status, long nowMs) {
        ExchangeProgress before = exchanges.get(status.venue());
        ExchangeProgress now = ExchangeProgress.of(status, startedMs);
        if (before == null || now.equals(before) || !now.isPolled()) {
            return;
        }
        exchanges.put(status.venue(), now);
        if (now.state() != before.state()) {
            output.exchange(now);
        }
        reportTenth();
        if (!allPolled && exchanges.values().stream().allMatch(ExchangeProgress::isPolled)) {
            allPolled = true;
            output.step(polled(nowMs));
        }
        if (allPolled && !allComplete && exchanges.values().stream().noneMatch(StartProgress::isUnderWay)) {
            allComplete = true;
            output.step(complete(nowMs));
        }
    }

    /** A line each time that a further tenth of the settled history is read: of live exchanges it takes hours. */
    private void reportTenth() {
        long total = exchanges.values().stream()
                .mapToLong(exchange -> sum(exchange.historyTotal()))
                .sum();
        long read = exchanges.values().stream()
                .mapToLong(exchange -> sum(exchange.historyRead()))
                .sum();
        long tenth = allPolled && total > 0 ? 10 * read / total : 0;
        if (tenth > tenths && tenth < 10) {
            tenths = tenth;
            output.step("30 days of settled rates are read of " + read + " of " + total + " contracts");
        }
    }

    /** Whether there is nothing more to follow. */
    public boolean isOver() {
        return allComplete;
    }

    private static boolean isUnderWay(ExchangeProgress exchange) {
        return exchange.state() == State.WAITING || exchange.state() == State.READING_HISTORY;
    }

    private String polled(long nowMs) {
        String failed = named(exchange -> exchange.state() == State.FAILED);
        return count(ExchangeProgress::isObserved) + " of " + exchanges.size() + " exchanges responded within "
                + seconds(nowMs) + ": "
                + exchanges.values().stream()
                        .map(ExchangeProgress::contracts)
                        .filter(contracts -> contracts != null)
                        .mapToLong(Long::longValue)
                        .sum()
                + " contracts" + (failed.isEmpty() ? "" : "; not " + failed);
    }

    private String complete(long nowMs) {
        String without = named(exchange -> exchange.historyTotal() == null || exchange.historyTotal() == 0);
        String capped = named(exchange -> sum(exchange.historyTotal()) > sum(exchange.historyRead()));
        return "30 days of settled rates are read after " + seconds(nowMs) + ": "
                + exchanges.values().stream()
                        .mapToLong(e -> sum(e.historyRead()))
                        .sum() + " contracts"
                + (without.isEmpty() ? "" : "; none is published by, or known of, " + without)
                + (capped.isEmpty() ? "" : "; not all of " + capped);
    }

    private static long sum(@Nullable Long count) {
        return count == null ? 0 : count;
    }

    private long count(Predicate<ExchangeProgress> which) {
        return exchanges.values().stream().filter(which).count();
    }

    /** Such as {@code kraken (refused with 403), okx}. */
    private String named(Predicate<ExchangeProgress> which) {
        return exchanges.values().stream()
                .filter(which)
                .map(exchange -> exchange.venue() + (exchange.reason() == null ? "" : " (" + exchange.reason() + ")"))
                .collect(Collectors.joining(", "));
    }

    private String seconds(long nowMs) {
        return (nowMs - startedMs) / 1000 + " s";
    }
}
