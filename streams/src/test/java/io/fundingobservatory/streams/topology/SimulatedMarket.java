package io.fundingobservatory.streams.topology;

import static io.fundingobservatory.testbed.SampleRecords.fields;

import io.fundingobservatory.oracle.LedgerModel;
import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import io.fundingobservatory.topics.records.SettledRate;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Exchanges over 35 days, from a seed: what they say and publish, when it arrives, and at which instants they truly charged. */
final class SimulatedMarket {
    /** Windows are compared with another computation so often, hours: at each hour of a day in turn. */
    static final int COMPARED_EVERY_H = 23;

    static final long HOUR = 3_600_000;
    static final long DAY = 24 * HOUR;
    static final long START = 1_790_000_000_000L / DAY * DAY;
    static final long END = START + 35 * DAY;

    /** What arrives: a quote or a settlement. */
    record Event(long arrivedMs, Quote quote, SettledRate settled) {
        void addTo(LedgerModel oracle) {
            if (quote == null) {
                oracle.add(settled);
            } else {
                oracle.add(quote);
            }
        }
    }

    /** How a contract charges and is read. */
    static final class Plan {
        final ContractKey key;
        String base = "BTC";
        ContractType type = ContractType.LINEAR;
        RateKind kind = RateKind.ESTIMATE;
        boolean announces = true;
        long listedMs = START - 40 * DAY;
        String price = "60000";
        /** From when on which interval, in hours. */
        final TreeMap<Long, Integer> intervals = new TreeMap<>();
        /** From when on another base coin. */
        long renamedMs = Long.MAX_VALUE;

        String renamed = "";
        /** The exchange publishes its settlements: some at once, some days late. */
        boolean history;
        /** Nothing is heard from it in [from, to). */
        final List<long[]> silences = new ArrayList<>();
        /** Now and then the last observation before a settlement is too old. */
        boolean sloppy;

        /** Now and then a settlement is stamped up to ten minutes late. */
        boolean lateStamps;

        /** Its published settlements never say which interval they closed. */
        boolean wordless;

        /** Charges that nobody reads and that are never published. */
        final Set<Long> lost = new HashSet<>();

        /** In [from, to) it shows another base coin, and then its own again. */
        long[] glitch = {0, 0};

        Plan(String venue, String symbol, int intervalH) {
            key = new ContractKey(venue, symbol);
            intervals.put(Long.MIN_VALUE, intervalH);
        }

        int intervalAt(long ms) {
            return intervals.floorEntry(ms).getValue();
        }

        boolean silent(long ms) {
            return silences.stream().anyMatch(s -> ms >= s[0] && ms < s[1]);
        }

        String baseAt(long ms) {
            return ms >= glitch[0] && ms < glitch[1] ? "ETH" : ms >= renamedMs ? renamed : base;
        }
    }

    final List<Plan> plans = new ArrayList<>();
    final List<Event> events = new ArrayList<>();

    /** Every instant at which a contract charged, and before the first of them the instant of its listing. */
    final Map<ContractKey, TreeSet<Long>> truth = new TreeMap<>();

    private final Random random;

    SimulatedMarket(long seed) {
        random = new Random(seed);
    }

    Plan add(String venue, int intervalH) {
        return add(venue, "X|" + venue, intervalH);
    }

    Plan add(String venue, String symbol, int intervalH) {
        var plan = new Plan(venue, symbol, intervalH);
        plans.add(plan);
        return plan;
    }

    SimulatedMarket run() {
        plans.forEach(this::run);
        events.removeIf(event -> event.arrivedMs() >= END);
        events.sort(Comparator.comparingLong(Event::arrivedMs));
        return this;
    }

    private void run(Plan plan) {
        var instants = new TreeSet<Long>();
        truth.put(plan.key, instants);
        long at = plan.listedMs;
        instants.add(at);
        while (at < END) {
            int hours = plan.intervalAt(at);
            long next = at + hours * HOUR;
            observations(plan, at, next, hours);
            at = next;
            instants.add(at);
            if (plan.history && at > START - 31 * DAY) {
                settlement(plan, at, hours);
            }
        }
    }

    /** All observations between two charges: shortly after the one, about each half hour, shortly before the other. */
    private void observations(Plan plan, long from, long to, int hours) {
        var times = new TreeSet<Long>();
        times.add(from + 5_000 + random.nextInt(40_000));
        for (long hour = from; hour < to; hour += HOUR) {
            times.add(hour + HOUR / 2 + random.nextInt(60_000));
            if (!plan.announces || random.nextInt(4) == 0) {
                times.add(hour + HOUR - 5_000 - random.nextInt(110_000));
            }
        }
        boolean unread = plan.lost.contains(to) || (plan.sloppy && random.nextInt(40) == 0);
        if (unread) {
            times.tailSet(to - 120_000).clear();
        }
        times.add(unread ? to - 130_000 : to - 1 - random.nextInt(119_000));
        for (long observed : times) {
            if (observed < START || observed >= END || plan.silent(observed)) {
                continue;
            }
            // Once in a while the announced instant wanders, and is put right before it takes place.
            long announced =
                    to + (plan.silences.isEmpty() && to - observed > HOUR && random.nextInt(20) == 0 ? 2 * HOUR : 0);
            Quote quote = quote(plan, observed, announced, hours);
            events.add(new Event(observed + random.nextInt(900), quote, null));
            if (random.nextInt(15) == 0) {
                events.add(new Event(observed + random.nextInt(3_600_000), quote, null)); // again, late
            }
        }
    }

    private Quote quote(Plan plan, long observed, long announced, int hours) {
        boolean continuous = plan.kind == RateKind.CONTINUOUS;
        BigDecimal own = BigDecimal.valueOf(continuous ? 8 : hours);
        BigDecimal price = new BigDecimal(plan.price).add(BigDecimal.valueOf(random.nextInt(100)));
        return SampleRecords.quote(
                fields("venue", plan.key.venue(), "symbol", plan.key.symbol(), "base", plan.baseAt(observed)),
                fields("quote", "USDT", "contract_type", plan.type, "asset_class", null, "dex", null, "rate", rate()),
                fields("rate_unit", RateUnit.FRACTION, "rate_hours", own, "rate_kind", plan.kind, "interval_h", own),
                fields("interval_source", IntervalSource.DOCUMENTED),
                fields("next_funding_ms", plan.announces ? announced : null, "mark_price", price, "index_price", null),
                fields("venue_time_ms", null, "observed_at_ms", observed));
    }

    private void settlement(Plan plan, long at, int hours) {
        boolean late = plan.lateStamps && random.nextInt(4) == 0 && !atAnEdge(at);
        long raw = at + (late ? 40_000 + random.nextInt(519_000) : random.nextInt(58_000) - 29_000);
        boolean percent = random.nextBoolean();
        long observed =
                Math.max(START + random.nextInt(3_600_000), Math.max(at, raw) + 40_000 + random.nextInt(300_000));
        if (random.nextInt(50) == 0) {
            observed += DAY * (1 + random.nextInt(3));
        }
        if (plan.silent(observed) || observed >= END || plan.lost.contains(at)) {
            return;
        }
        var settled = new SettledRate(
                plan.key.venue(),
                plan.key.symbol(),
                raw,
                percent ? rate().movePointRight(2) : rate(),
                percent ? RateUnit.PERCENT : RateUnit.FRACTION,
                null,
                plan.wordless || random.nextInt(3) == 0 ? null : BigDecimal.valueOf(hours),
                null,
                observed);
        events.add(new Event(observed + random.nextInt(900), null, settled));
        if (random.nextInt(10) == 0) {
            events.add(new Event(observed + random.nextInt(10 * 3_600_000), null, settled));
        }
    }

    /** At the edges of the windows that are compared, and an hour before the end, no stamp is late. */
    private static boolean atAnEdge(long at) {
        long hour = Math.floorMod((at - START) / HOUR, COMPARED_EVERY_H);
        long lastHour = Math.floorMod((END - START) / HOUR - 1, COMPARED_EVERY_H);
        return hour == 0
                || hour == Math.floorMod(-720, COMPARED_EVERY_H)
                || hour == lastHour
                || hour == Math.floorMod(lastHour - 720, COMPARED_EVERY_H);
    }

    private BigDecimal rate() {
        return BigDecimal.valueOf(random.nextLong(40_001) - 20_000, 5 + random.nextInt(5));
    }
}
