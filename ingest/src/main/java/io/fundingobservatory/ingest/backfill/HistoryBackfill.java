package io.fundingobservatory.ingest.backfill;

import static java.util.stream.Collectors.toSet;

import io.fundingobservatory.ingest.backfill.BulkSettlementPoll.Followed;
import io.fundingobservatory.ingest.backfill.ContractBackfill.Schedule;
import io.fundingobservatory.ingest.backfill.HistoryCursor.Endpoint;
import io.fundingobservatory.ingest.backfill.HistoryReader.Progress;
import io.fundingobservatory.ingest.client.Pages;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.json.ReasonText;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.publish.Publisher;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.topics.records.HistoryProgress;
import io.fundingobservatory.topics.records.Quote;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the published settlements of one venue in the time that polling leaves. The backfill reads the last
 * 31 days of every live contract. After that, each settlement is read some minutes after its instant. Records
 * that Kafka has not acknowledged count as not read.
 *
 * <p>After a venue error, the contract is backed off and the next one is read. Only lost connections end a run:
 * two in a row would cost 20 s.
 */
public final class HistoryBackfill {
    static final Duration REACH = Duration.ofDays(31);
    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final long SPREAD_AT_LEAST_MS = Duration.ofMinutes(2).toMillis();

    /** After a settlement at most one contract a second is looked up. */
    private static final long SPREAD_PER_CONTRACT_MS = 1_000;

    /** How often a past that comes only whole is read: Kraken sends a year, 1 MB for each of some 300 contracts. */
    private static final long WHOLE_HISTORY_REST_MS = Duration.ofHours(6).toMillis();

    /** A contract that has not been in a poll for so long is forgotten; listed again, its 31 days are read again. */
    private static final long REMEMBERED_MS = Duration.ofDays(1).toMillis();

    /** Contracts that have been due for so long are behind. */
    private static final long BEHIND_MS = Duration.ofMinutes(5).toMillis();

    private static final int MOST_LOST_CONNECTIONS = 2;
    private static final int LONGEST_PROBLEM = 300;

    private final List<History> histories;
    private final Time time;
    private final RandomGenerator random;
    private final List<History> bulkEndpoints;
    private final HistoryReader reader;
    private final BulkSettlementPoll bulk;
    private final SettlementOutput output;
    private final Map<String, ContractBackfill> contracts = new HashMap<>();
    private List<ContractBackfill> live = List.of();
    private @Nullable String endpointProblem;

    /** The history of a venue that declares one; {@code before} is how far earlier processes came. */
    public HistoryBackfill(
            Venue venue,
            Pages.Sender source,
            Time time,
            RandomGenerator random,
            List<HistoryProgress> before,
            Publisher output,
            IngestEvents events) {
        this.histories = Objects.requireNonNull(venue.spec().history());
        this.time = time;
        this.random = random;
        this.bulkEndpoints = venue.spec().bulkHistory();
        this.output = new SettlementOutput(venue.spec().id(), output, events);
        this.reader = new HistoryReader(venue, source, time, this.output);
        this.bulk = new BulkSettlementPoll(venue, source, time, this.output);
        for (HistoryProgress progress : before) {
            ContractBackfill contract = ContractBackfill.resumed(progress, random);
            contract.listed(time.nowMs());
            contracts.put(progress.symbol(), contract);
            Stream.of(progress.newestMs(), progress.secondMs(), progress.thirdMs())
                    .filter(Objects::nonNull)
                    .forEach(settledMs -> this.output.gaps().settled(progress.symbol(), settledMs));
        }
    }

    public SettlementGaps gaps() {
        return output.gaps();
    }

    /** Contracts whose 31 days have been read. */
    public long done() {
        return live.stream().filter(c -> c.isWhole() && c.isReachable()).count();
    }

    /** Number of contracts that trade and whose history is or was read, without those that the venue refuses. */
    public long total() {
        return live.stream()
                .filter(c -> c.isReachable() && (c.isWhole() || !c.isRefused()))
                .count();
    }

    /** Whether {@link #total} is known: a contract can be read, or is refused. */
    public boolean isTotalKnown() {
        return live.stream().anyMatch(c -> c.isReachable() || c.isRefused());
    }

    /**
     * Why settled rates cannot be read, one line; null when nothing keeps them from being read. What concerns the whole
     * venue comes before the contracts' most frequent problem, and rows that were left out come last.
     */
    public @Nullable String problem() {
        String line = endpointProblem != null ? endpointProblem : reader.problem();
        line = line == null ? problem(ContractBackfill::problem, "", "could not be read") : line;
        line = line == null ? problem(ContractBackfill::skipped, "rows of ", "were left out") : line;
        line = line == null && bulk.skipped() != null ? "rows were left out: " + bulk.skipped() : line;
        return line == null ? null : ReasonText.oneLine(line, LONGEST_PROBLEM);
    }

    private <T extends Comparable<T>> @Nullable String problem(
            Function<ContractBackfill, @Nullable T> of, String what, String became) {
        List<T> problems = live.stream().map(of).filter(Objects::nonNull).toList();
        return problems.isEmpty()
                ? null
                : what + problems.size() + " of " + live.size() + " contracts " + became + ": "
                        + ReasonText.mostFrequent(problems);
    }

    /** Whether contracts wait for backfill; values that allow it are then requested less often. */
    public boolean isBehind() {
        long since = time.nowMs() - BEHIND_MS;
        return live.stream()
                .anyMatch(c -> c.isReachable() && (c.dueMs() < since || (!c.isWhole() && c.problem() == null)));
    }

    private ContractBackfill known(String symbol) {
        return contracts.computeIfAbsent(symbol, s -> new ContractBackfill(s, random));
    }

    /** Receives the quotes of a poll and the responses that they were read from, which have the keys of histories. */
    public void live(List<Quote> quotes, VenueResponses responses) {
        long now = time.nowMs();
        Set<String> symbols = quotes.stream().map(Quote::symbol).collect(toSet());
        live = symbols.stream().map(this::known).toList();
        live.forEach(contract -> contract.listed(now));
        forgetUnlisted(now);
        try {
            Map<String, List<Endpoint>> single = Endpoint.bySymbol(histories, symbols, responses);
            Map<String, List<Endpoint>> bulk = Endpoint.bySymbol(bulkEndpoints, symbols, responses);
            for (ContractBackfill contract : live) {
                contract.endpoints(
                        single.getOrDefault(contract.symbol(), List.of()),
                        bulk.getOrDefault(contract.symbol(), List.of()).stream()
                                .map(endpoint -> endpoint.history().name())
                                .collect(toSet()));
            }
            endpointProblem = null;
        } catch (RuntimeException e) {
            // responses that differ from the documentation; the keys of the poll before remain
            endpointProblem = "the keys of its endpoints are unreadable, " + e.getMessage();
        }
        for (Quote quote : quotes) {
            ContractBackfill contract = known(quote.symbol());
            contract.announced(schedule(quote, contract), now);
        }
    }

    private void forgetUnlisted(long now) {
        contracts.values().removeIf(contract -> {
            boolean forgotten = now - contract.listedMs() > REMEMBERED_MS;
            if (forgotten) {
                output.gaps().forget(contract.symbol());
            }
            return forgotten;
        });
    }

    private Schedule schedule(Quote quote, ContractBackfill contract) {
        BigDecimal hours = quote.intervalH();
        long interval = hours == null
                ? HOUR_MS
                : hours.multiply(BigDecimal.valueOf(HOUR_MS)).longValue();
        boolean narrow = contract.endpoints().stream()
                .allMatch(endpoint -> endpoint.history().canBeNarrowed());
        long spread = Math.max(SPREAD_AT_LEAST_MS, live.size() * SPREAD_PER_CONTRACT_MS);
        return new Schedule(quote.nextFundingMs(), interval, narrow ? 0 : WHOLE_HISTORY_REST_MS, spread);
    }

    /** Reads for as long as is allowed; what is half read is gone on with next time. */
    public void work(Duration may) throws InterruptedException {
        long end = time.elapsedMs() + may.toMillis();
        int lost = 0;
        reader.begin();
        followUpInBulk(end);
        for (ContractBackfill contract : due()) {
            if (end <= time.elapsedMs()) {
                return;
            }
            Progress progress = read(contract, end);
            lost = progress == Progress.LOST_CONNECTION ? lost + 1 : 0;
            if (progress == Progress.BROKER_AWAY || lost >= MOST_LOST_CONNECTIONS) {
                return;
            }
        }
    }

    private void followUpInBulk(long endMs) throws InterruptedException {
        for (History endpoint : bulkEndpoints) {
            long now = time.nowMs();
            List<ContractBackfill> waiting = live.stream()
                    .filter(contract -> contract.isToBeFollowed(endpoint.name(), now))
                    .toList();
            if (waiting.stream().noneMatch(contract -> contract.dueMs() <= now)) {
                continue;
            }
            Followed followed = bulk.read(endpoint, waiting, endMs);
            if (followed == null) {
                continue;
            }
            for (ContractBackfill contract : waiting) {
                Long newest = followed.newestMs().get(contract.symbol());
                if (newest != null || followed.complete()) {
                    contract.followed(newest, time.nowMs());
                }
                if (newest != null) {
                    output.progress(contract);
                }
            }
        }
    }

    /** What has never been read whole comes first: its gap is the widest. */
    private List<ContractBackfill> due() {
        long now = time.nowMs();
        return live.stream()
                .filter(c -> c.dueMs() <= now)
                .sorted(Comparator.comparing(ContractBackfill::isWhole)
                        .thenComparing(c -> c.cursor() == null)
                        .thenComparingLong(ContractBackfill::dueMs)
                        .thenComparing(ContractBackfill::symbol))
                .toList();
    }

    /** Reads a contract to the end of what is new, or until no more requests are allowed now. */
    private Progress read(ContractBackfill contract, long endMs) throws InterruptedException {
        HistoryCursor cursor = contract.cursor();
        if (cursor == null) {
            cursor = cursor(contract);
            contract.begin(cursor);
        }
        Progress progress = reader.read(contract, cursor, endMs);
        if (progress == Progress.FINISHED && contract.finish(cursor, reader.refused(), time.nowMs())) {
            output.progress(contract);
        }
        return progress;
    }

    private HistoryCursor cursor(ContractBackfill contract) {
        long now = time.nowMs();
        long from = now - REACH.toMillis();
        Long newest = contract.newestMs();
        return new HistoryCursor(
                contract.endpoints(), newest == null || newest > now ? from : Math.max(from, newest + 1), now);
    }
}
