package io.fundingobservatory.ingest.polling;

import io.fundingobservatory.ingest.fetching.Fetched;
import io.fundingobservatory.ingest.polling.HistoryCursor.Place;
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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Reads what one venue publishes about its settlements, in the time that polling leaves: at first the last 31 days of every live
 * contract, then each settlement a minute or three after its instant. What Kafka has not acknowledged counts as not read.
 */
public final class SettledHistory {
    private static final Duration REACH = Duration.ofDays(31);
    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final long FIRST_LOOK_MS = Duration.ofMinutes(1).toMillis();
    private static final long SPREAD_MS = Duration.ofMinutes(2).toMillis();
    private static final long AGAIN_MS = Duration.ofMinutes(3).toMillis();
    private static final long FAILED_MS = Duration.ofMinutes(10).toMillis();
    private static final long THROTTLED_MS = Duration.ofMinutes(5).toMillis();

    /** A settlement that is not there after so many looks is read together with the next one. */
    private static final int LOOKS = 4;

    /** Where settlements and the progress go. */
    public interface Sink {
        /** Whether all of them have been acknowledged. */
        boolean publish(List<SettledRate> settled);

        void publish(HistoryProgress progress);
    }

    /** When a live contract settles next, epoch ms, and how far apart its settlements are at most. */
    private record Schedule(@Nullable Long nextMs, long intervalMs) {}

    /** What is known of one contract's history. Instants are epoch ms. */
    private static final class Contract {
        private final String symbol;
        private @Nullable Long newestMs;
        private boolean whole;
        private boolean unreachable;
        private long settlesMs = Long.MIN_VALUE;
        private long dueMs = Long.MIN_VALUE;
        private int looks;
        private @Nullable HistoryCursor cursor;

        Contract(String symbol) {
            this.symbol = symbol;
        }
    }

    private final Venue venue;
    private final List<History> histories;
    private final Gathering gathering;
    private final Time time;
    private final RandomGenerator random;
    private final Sink sink;
    private final Map<String, Contract> contracts = new HashMap<>();
    private Map<String, Schedule> live = Map.of();
    private long notBeforeMs = Long.MIN_VALUE;

    /**
     * The history of a venue that declares one.
     *
     * @param before how far earlier processes came
     */
    public SettledHistory(
            Venue venue,
            Gathering gathering,
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
        for (HistoryProgress progress : before) {
            Contract contract = new Contract(progress.symbol());
            contract.newestMs = progress.newestMs();
            contract.whole = progress.whole();
            contracts.put(contract.symbol, contract);
        }
    }

    /** Contracts whose 31 days have been read. */
    long done() {
        return live.keySet().stream()
                .filter(s -> known(s).whole && !known(s).unreachable)
                .count();
    }

    /** Contracts that trade and whose history can be asked for. */
    long total() {
        return live.keySet().stream().filter(s -> !known(s).unreachable).count();
    }

    private Contract known(String symbol) {
        return contracts.computeIfAbsent(symbol, Contract::new);
    }

    /** Tells which contracts trade and when they settle. */
    void live(List<Quote> quotes) {
        long now = time.nowMs();
        var schedules = new HashMap<String, Schedule>();
        for (Quote quote : quotes) {
            BigDecimal hours = quote.intervalH();
            long interval = hours == null ? HOUR_MS : (long) (hours.doubleValue() * HOUR_MS);
            schedules.put(quote.symbol(), new Schedule(quote.nextFundingMs(), interval));
        }
        live = schedules;
        schedules.forEach((symbol, schedule) -> {
            Contract contract = known(symbol);
            if (!contract.whole) {
                return;
            }
            boolean unplanned = contract.settlesMs == Long.MIN_VALUE;
            boolean behind = contract.newestMs == null || now - contract.newestMs > schedule.intervalMs() + AGAIN_MS;
            if ((unplanned && !behind) || sooner(schedule, contract, now)) {
                await(contract, schedule, now);
            }
        });
    }

    /** Whether the exchange now announces an earlier settlement than the one that is waited for. */
    private static boolean sooner(Schedule schedule, Contract contract, long now) {
        Long next = schedule.nextMs();
        return next != null && next > now && next < contract.settlesMs;
    }

    private void await(Contract contract, Schedule schedule, long now) {
        Long next = schedule.nextMs();
        contract.settlesMs = next != null && next > now ? next : (now / HOUR_MS + 1) * HOUR_MS;
        contract.dueMs = contract.settlesMs + FIRST_LOOK_MS + random.nextLong(SPREAD_MS);
        contract.looks = 0;
    }

    /** Reads for as long as is allowed; what is half read is gone on with next time. */
    void work(Duration may) throws InterruptedException {
        long end = time.elapsedMs() + may.toMillis();
        if (time.nowMs() < notBeforeMs) {
            return;
        }
        List<Contract> due = due();
        if (due.isEmpty() || may.isZero()) {
            return;
        }
        Map<String, List<Place>> places = places();
        for (Contract contract : due) {
            if (!read(contract, places, end)) {
                return;
            }
        }
    }

    /** What has never been read whole comes first: its gap is the widest. */
    private List<Contract> due() {
        long now = time.nowMs();
        return live.keySet().stream()
                .map(this::known)
                .filter(c -> c.dueMs <= now)
                .sorted(Comparator.comparing((Contract c) -> c.whole)
                        .thenComparing(c -> c.cursor == null)
                        .thenComparingLong(c -> c.dueMs)
                        .thenComparing(c -> c.symbol))
                .toList();
    }

    /** Where each contract's history may be asked for; an exchange has several addresses when it has several books. */
    private Map<String, List<Place>> places() {
        var places = new HashMap<String, List<Place>>();
        Answers atHand = gathering.atHand();
        for (History history : histories) {
            if (history.keys() == null) {
                live.keySet()
                        .forEach(s -> places.computeIfAbsent(s, p -> new ArrayList<>())
                                .add(new Place(history, s)));
            } else {
                history.keys()
                        .apply(atHand)
                        .forEach((key, s) -> places.computeIfAbsent(s, p -> new ArrayList<>())
                                .add(new Place(history, key)));
            }
        }
        return places;
    }

    /** Reads a contract to the end of what is new; false when nothing more is to be asked for now. */
    private boolean read(Contract contract, Map<String, List<Place>> places, long endMs) throws InterruptedException {
        HistoryCursor cursor = contract.cursor;
        if (cursor == null) {
            long now = time.nowMs();
            long from = now - REACH.toMillis();
            Long newest = contract.newestMs;
            cursor = new HistoryCursor(
                    places.getOrDefault(contract.symbol, List.of()),
                    newest == null ? from : Math.max(from, newest + 1),
                    now);
            contract.cursor = cursor;
        }
        while (cursor.hasMore()) {
            long left = endMs - time.elapsedMs();
            Optional<Fetched> fetched =
                    left <= 0 ? Optional.empty() : gathering.aside(cursor.call(), Duration.ofMillis(left));
            if (fetched.isEmpty()) {
                return false;
            }
            switch (fetched.get()) {
                case Fetched.Answered(Node body, long readAtMs) -> {
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
                        putOff(contract);
                        return false;
                    }
                    cursor.refused();
                }
            }
        }
        finish(contract, cursor);
        return true;
    }

    /** Publishes a page; false when Kafka has not taken it, and then it is asked for again. */
    private boolean take(Contract contract, HistoryCursor cursor, Node body, long readAtMs) {
        var read = new Settlements(venue.header(), contract.symbol, readAtMs);
        try {
            venue.readHistory(body, read);
        } catch (RuntimeException e) {
            // an answer of another shape than documented; it is looked at again when the next one is due
            cursor.refused();
            return true;
        }
        List<SettledRate> fresh = read.settled().stream()
                .filter(s -> s.symbol().equals(contract.symbol) && cursor.covers(s.settledMs()))
                .toList();
        if (!fresh.isEmpty() && !sink.publish(fresh)) {
            return false;
        }
        boolean gapless = cursor.oldestFirst();
        cursor.answered(read);
        if (gapless && cursor.hasMore() && cursor.newestMs() != null) {
            contract.newestMs = cursor.newestMs();
            sink.publish(new HistoryProgress(venue.header().id(), contract.symbol, contract.newestMs, contract.whole));
        }
        return true;
    }

    private void putOff(Contract contract) {
        contract.dueMs = time.nowMs() + FAILED_MS;
    }

    private void finish(Contract contract, HistoryCursor cursor) {
        contract.cursor = null;
        contract.unreachable = !cursor.hadPlaces();
        if (!cursor.wasAnswered()) {
            putOff(contract);
            return;
        }
        Long newest = cursor.newestMs();
        boolean changed = newest != null || !contract.whole;
        contract.newestMs = newest == null ? contract.newestMs : newest;
        Schedule schedule = live.getOrDefault(contract.symbol, new Schedule(null, HOUR_MS));
        if (changed || ++contract.looks >= LOOKS) {
            await(contract, schedule, time.nowMs());
        } else {
            contract.dueMs = time.nowMs() + AGAIN_MS;
        }
        contract.whole = true;
        if (changed) {
            sink.publish(new HistoryProgress(venue.header().id(), contract.symbol, contract.newestMs, true));
        }
    }
}
