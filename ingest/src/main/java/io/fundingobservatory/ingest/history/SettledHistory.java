package io.fundingobservatory.ingest.history;

import io.fundingobservatory.ingest.fetching.Fetched;
import io.fundingobservatory.ingest.history.ContractHistory.Schedule;
import io.fundingobservatory.ingest.pacing.Time;
import io.fundingobservatory.ingest.polling.AnswerSource;
import io.fundingobservatory.ingest.reading.Answers;
import io.fundingobservatory.ingest.reading.History;
import io.fundingobservatory.ingest.reading.Node;
import io.fundingobservatory.ingest.reading.Settlements;
import io.fundingobservatory.ingest.reading.Venue;
import io.fundingobservatory.topics.HistoryProgress;
import io.fundingobservatory.topics.Quote;
import io.fundingobservatory.topics.SettledRate;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Reads what one venue publishes about its settlements, in the time that polling leaves: at first the last 31 days of every live
 * contract, then each settlement a minute or three after its instant. What Kafka has not acknowledged counts as not read.
 */
public final class SettledHistory {
    private static final Duration REACH = Duration.ofDays(31);
    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final long THROTTLED_MS = Duration.ofMinutes(5).toMillis();

    /** Where settlements and the progress go. */
    public interface Sink {
        /** Whether all of them have been acknowledged. */
        boolean publish(List<SettledRate> settled);

        void publish(HistoryProgress progress);
    }

    private final Venue venue;
    private final List<History> histories;
    private final AnswerSource gathering;
    private final Time time;
    private final RandomGenerator random;
    private final Sink sink;
    private final Map<String, ContractHistory> contracts = new HashMap<>();
    private Map<String, Schedule> live = Map.of();
    private Map<String, List<HistoryAddress>> places = Map.of();
    private long notBeforeMs = Long.MIN_VALUE;

    /**
     * The history of a venue that declares one.
     *
     * @param before how far earlier processes came
     */
    public SettledHistory(
            Venue venue,
            AnswerSource gathering,
            Time time,
            RandomGenerator random,
            List<HistoryProgress> before,
            Sink sink) {
        this.venue = venue;
        this.histories = Objects.requireNonNull(venue.header().history());
        this.gathering = gathering;
        this.time = time;
        this.random = random;
        this.sink = sink;
        before.forEach(progress -> contracts.put(progress.symbol(), ContractHistory.resumed(progress)));
    }

    /** Contracts whose 31 days have been read. */
    public long done() {
        return live.keySet().stream()
                .filter(s -> known(s).isWhole() && known(s).isReachable())
                .count();
    }

    /** Contracts that trade and whose history can be asked for. */
    public long total() {
        return live.keySet().stream().filter(s -> known(s).isReachable()).count();
    }

    private ContractHistory known(String symbol) {
        return contracts.computeIfAbsent(symbol, ContractHistory::new);
    }

    /**
     * Tells which contracts trade, when they settle, and by which keys their history is asked for.
     *
     * @param answers those that the quotes were read from
     */
    public void live(List<Quote> quotes, Answers answers) {
        long now = time.nowMs();
        var schedules = new HashMap<String, Schedule>();
        for (Quote quote : quotes) {
            BigDecimal hours = quote.intervalH();
            long interval = hours == null ? HOUR_MS : (long) (hours.doubleValue() * HOUR_MS);
            schedules.put(quote.symbol(), new Schedule(quote.nextFundingMs(), interval));
        }
        live = schedules;
        schedules.forEach((symbol, schedule) -> known(symbol).announced(schedule, now, random));
        try {
            places = HistoryAddress.bySymbol(histories, live.keySet(), answers);
        } catch (RuntimeException e) {
            // answers of another shape than documented; those of the poll before have shown the way so far
            return;
        }
    }

    /** Reads for as long as is allowed; what is half read is gone on with next time. */
    public void work(Duration may) throws InterruptedException {
        long end = time.elapsedMs() + may.toMillis();
        if (time.nowMs() < notBeforeMs) {
            return;
        }
        if (may.isZero()) {
            return;
        }
        for (ContractHistory contract : due()) {
            if (!read(contract, end)) {
                return;
            }
        }
    }

    /** What has never been read whole comes first: its gap is the widest. */
    private List<ContractHistory> due() {
        long now = time.nowMs();
        return live.keySet().stream()
                .map(this::known)
                .filter(c -> c.dueMs() <= now)
                .sorted(Comparator.comparing(ContractHistory::isWhole)
                        .thenComparing(c -> c.cursor() == null)
                        .thenComparingLong(ContractHistory::dueMs)
                        .thenComparing(ContractHistory::symbol))
                .toList();
    }

    /** Reads a contract to the end of what is new; false when nothing more is to be asked for now. */
    private boolean read(ContractHistory contract, long endMs) throws InterruptedException {
        HistoryCursor cursor = contract.cursor();
        if (cursor == null) {
            cursor = cursor(contract);
            contract.begin(cursor);
        }
        while (cursor.hasMore()) {
            long left = endMs - time.elapsedMs();
            Optional<Fetched> fetched =
                    left <= 0 ? Optional.empty() : gathering.aside(cursor.call(), Duration.ofMillis(left));
            if (fetched.isEmpty()) {
                return false;
            }
            switch (fetched.get()) {
                case Fetched.Answered(Node body, long readAtMs, Map<String, String> limits) -> {
                    if (!take(contract, cursor, body, readAtMs)) {
                        return false;
                    }
                }
                case Fetched.Throttled throttled -> {
                    notBeforeMs = time.nowMs() + THROTTLED_MS;
                    return false;
                }
                case Fetched.Barred barred -> {
                    // the host has closed its door on polling as well: an hour without history, so that it does not do
                    // so again
                    notBeforeMs = time.nowMs() + HOUR_MS;
                    return false;
                }
                case Fetched.Failed(String reason, boolean retryable) -> {
                    if (retryable) {
                        contract.putOff(time.nowMs());
                        return false;
                    }
                    cursor.refused();
                }
            }
        }
        finish(contract, cursor);
        return true;
    }

    /** From the newest settlement that has been read, or from as far back as is of interest. */
    private HistoryCursor cursor(ContractHistory contract) {
        long now = time.nowMs();
        long from = now - REACH.toMillis();
        Long newest = contract.newestMs();
        return new HistoryCursor(
                places.getOrDefault(contract.symbol(), List.of()),
                newest == null ? from : Math.max(from, newest + 1),
                now);
    }

    /** Publishes a page; false when Kafka has not taken it, and then it is asked for again. */
    private boolean take(ContractHistory contract, HistoryCursor cursor, Node body, long readAtMs) {
        var read = new Settlements(venue.header(), contract.symbol(), readAtMs);
        try {
            venue.readHistory(body, read);
        } catch (RuntimeException e) {
            // an answer of another shape than documented; it is looked at again when the next one is due
            cursor.refused();
            return true;
        }
        List<SettledRate> fresh = read.settled().stream()
                .filter(s -> s.symbol().equals(contract.symbol()) && cursor.covers(s.settledMs()))
                .toList();
        if (!fresh.isEmpty() && !sink.publish(fresh)) {
            return false;
        }
        boolean gapless = cursor.oldestFirst();
        cursor.answered(read);
        if (gapless && cursor.hasMore() && cursor.newestMs() != null) {
            contract.reached(cursor.newestMs());
            sink.publish(progress(contract));
        }
        return true;
    }

    private void finish(ContractHistory contract, HistoryCursor cursor) {
        Schedule schedule = live.getOrDefault(contract.symbol(), Schedule.UNKNOWN);
        if (contract.finish(cursor, schedule, time.nowMs(), random)) {
            sink.publish(progress(contract));
        }
    }

    private HistoryProgress progress(ContractHistory contract) {
        return new HistoryProgress(venue.header().id(), contract.symbol(), contract.newestMs(), contract.isWhole());
    }
}
