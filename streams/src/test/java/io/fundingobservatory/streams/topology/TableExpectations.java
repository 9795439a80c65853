package io.fundingobservatory.streams.topology;

import static io.fundingobservatory.streams.topology.SimulatedMarket.DAY;
import static io.fundingobservatory.streams.topology.SimulatedMarket.HOUR;
import static io.fundingobservatory.streams.topology.SimulatedMarket.START;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Settlement;
import io.fundingobservatory.topics.records.VenueQuality;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Holds what was published (settlements, pair tables, qualities) against plain ledgers of what the simulated market charged. */
final class TableExpectations {
    private final SimulatedMarket market;
    private final Map<String, Settlement> ledger;
    private final Map<String, byte[]> table;
    private final Map<String, VenueQuality> quality;

    /**
     * Of one run.
     *
     * @param ledger the newest published record of each settlement
     * @param table the newest pair table of each asset
     * @param quality the newest values of each exchange
     */
    TableExpectations(
            SimulatedMarket market,
            Map<String, Settlement> ledger,
            Map<String, byte[]> table,
            Map<String, VenueQuality> quality) {
        this.market = market;
        this.ledger = ledger;
        this.table = table;
        this.quality = quality;
    }

    static CarryPair pair(CarryTable table, String a, String b) {
        return table.pairs().stream()
                .filter(p -> Set.of(p.longLeg().venue(), p.shortLeg().venue()).equals(Set.of(a, b)))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Compares all that stands published as of an instant.
     *
     * @param expected the ledgers of what has arrived
     * @return how many pairs are complete
     */
    int compare(TreeMap<ContractKey, PlainLedgers.Listing> expected, long nowMs) throws Exception {
        long t = (nowMs - 600_000) / HOUR * HOUR;
        var settlements = new TreeMap<String, BigDecimal>();
        expected.forEach((key, listing) -> listing.settlements().forEach((at, p) -> {
            if (at > nowMs - 31 * DAY) {
                settlements.put(
                        key + " " + listing.listingEpoch() + " " + at + " " + p.basis(),
                        p.rate().stripTrailingZeros());
            }
        }));
        var published = new TreeMap<String, BigDecimal>();
        ledger.values().forEach(s -> {
            var listing = expected.get(s.key());
            if (listing.listingEpoch() == s.listingEpoch()
                    && s.settledMs() > nowMs - 31 * DAY
                    && !isAnother(listing, s.settledMs())) {
                assertEquals(expected.get(s.key()).asset(), s.asset());
                assertTrue(Math.abs(s.settledRawMs() - s.settledMs()) <= 30_000, s::toString);
                published.put(
                        s.key() + " " + s.listingEpoch() + " " + s.settledMs() + " " + s.basis(),
                        s.fundingRate().stripTrailingZeros());
            }
        });
        assertEquals(settlements, published);

        compareQuality(expected, t);
        int complete = 0;
        var assets = new HashSet<String>();
        for (var listing : expected.values()) {
            assets.add(listing.asset());
        }
        assertEquals(assets, table.keySet());
        for (String asset : assets) {
            CarryTable actual = CarryTable.CODEC.decode(table.get(asset));
            assertEquals(t, actual.windowEndMs());
            assertEquals(t - 720 * HOUR, actual.windowStartMs());
            int pairs = 0;
            for (var a : expected.entrySet()) {
                for (var b : expected.tailMap(a.getKey(), false).entrySet()) {
                    if (comparable(a.getValue(), b.getValue(), asset)) {
                        pairs++;
                        complete += compare(
                                pair(actual, a.getKey().venue(), b.getKey().venue()), a, b, t);
                    }
                }
            }
            assertEquals(pairs, actual.pairs().size());
        }
        return complete;
    }

    /** The estimate of a settlement whose settlement is stamped late, or the other way round: one settlement, the better basis. */
    private static boolean isAnother(PlainLedgers.Listing listing, long settledMs) {
        return !listing.settlements().containsKey(settledMs)
                && !listing.settlements()
                        .subMap(settledMs - PlainLedgers.LATE_MS, true, settledMs + PlainLedgers.LATE_MS, true)
                        .isEmpty();
    }

    /** The errors of the window's UTC days, sorted; the one that half of them, or 95 %, do not exceed, to three digits. */
    private void compareQuality(TreeMap<ContractKey, PlainLedgers.Listing> expected, long t) {
        var venues = new HashSet<String>();
        long days = t / (24 * HOUR) * 24 * HOUR - 29 * 24 * HOUR;
        expected.forEach((key, listing) -> {
            if (listing.listingEpoch() > 0) {
                return; // its former listing counts as well, of which the oracle knows nothing
            }
            var errors = listing.errors().tailMap(days, true).values().stream()
                    .sorted()
                    .toList();
            if (errors.isEmpty()) {
                assertNull(quality.get(key.venue()));
                return;
            }
            venues.add(key.venue());
            VenueQuality actual = quality.get(key.venue());
            assertEquals(errors.size(), actual.settlements(), key::toString);
            assertEquals(t, actual.windowEndMs());
            assertEquals(days, actual.windowStartMs());
            assertEquals(
                    0, digits(errors.get((errors.size() + 1) / 2 - 1)).compareTo(actual.errorP50()), key::toString);
            int rank95 = BigDecimal.valueOf(errors.size() * 95L, 2)
                    .setScale(0, RoundingMode.CEILING)
                    .intValueExact();
            assertEquals(0, digits(errors.get(rank95 - 1)).compareTo(actual.errorP95()), key::toString);
        });
        assertEquals(t < START + 9 * HOUR, venues.isEmpty(), "exchanges that announce and publish are measured");
    }

    private static BigDecimal digits(BigDecimal error) {
        return error.round(new MathContext(3, RoundingMode.HALF_EVEN));
    }

    /** Prices of one coin stay close together in this market, so every comparison of two contracts has the same verdict. */
    private static boolean comparable(PlainLedgers.Listing a, PlainLedgers.Listing b, String asset) {
        boolean oneAsset =
                a.last().markPrice().subtract(b.last().markPrice()).abs().compareTo(new BigDecimal(1_000)) < 0;
        return a.asset().equals(asset)
                && b.asset().equals(asset)
                && a.last().contractType() == b.last().contractType()
                && oneAsset;
    }

    private int compare(
            CarryPair actual,
            Map.Entry<ContractKey, PlainLedgers.Listing> a,
            Map.Entry<ContractKey, PlainLedgers.Listing> b,
            long t)
            throws Exception {
        int days = Math.min(days(a, t), days(b, t));
        String what = a.getKey() + " " + b.getKey() + " at " + Instant.ofEpochMilli(t);
        assertEquals(days, actual.days(), what);
        assertEquals(days == 30, actual.complete(), what);
        assertEquals(days == 30, actual.reason() == null, what);
        long from = t - (days == 0 ? 30 : days) * DAY;
        BigDecimal sumA = sum(a.getValue(), from, t);
        BigDecimal sumB = sum(b.getValue(), from, t);
        boolean aIsShort = days > 0 && sumA.compareTo(sumB) > 0;
        var shortLeg = aIsShort ? a : b;
        var longLeg = aIsShort ? b : a;
        leg(shortLeg, actual.shortLeg(), from, t, days, what);
        leg(longLeg, actual.longLeg(), from, t, days, what);
        if (days == 0) {
            assertNull(actual.fundingDifference());
            assertNull(actual.receipt());
            return 0;
        }
        assertEquals(0, sumA.subtract(sumB).abs().compareTo(actual.fundingDifference()), what);
        long positive = 0;
        for (long day = from; day < t; day += DAY) {
            positive += sum(shortLeg.getValue(), day, day + DAY).compareTo(sum(longLeg.getValue(), day, day + DAY)) > 0
                    ? 1
                    : 0;
        }
        assertEquals(positive, actual.positiveDays(), what);
        String lines = lines(a, from, t) + lines(b, from, t);
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(lines.getBytes(UTF_8));
        assertEquals(HexFormat.of().formatHex(digest), actual.receipt(), what);
        return days == 30 ? 1 : 0;
    }

    private static void leg(
            Map.Entry<ContractKey, PlainLedgers.Listing> expected,
            CarryLeg actual,
            long from,
            long t,
            int days,
            String what) {
        assertEquals(expected.getKey(), new ContractKey(actual.venue(), actual.symbol()), what);
        assertEquals(expected.getValue().listingEpoch(), actual.listingEpoch(), what);
        var settlements = expected.getValue().settlements().subMap(from, false, t, true);
        assertEquals(settlements.size(), actual.settlements(), what);
        assertTrue(
                days == 0 ? actual.expected() >= settlements.size() : actual.expected() == settlements.size(),
                what + actual);
        assertEquals(settlements.isEmpty() ? null : settlements.firstKey(), actual.firstSettlementMs(), what);
        assertEquals(settlements.isEmpty() ? null : settlements.lastKey(), actual.lastSettlementMs(), what);
        assertEquals("USDT", actual.quote(), what);
        assertEquals(days, actual.dailySums().list().size(), what);
        for (int day = 0; day < days; day++) {
            BigDecimal sum = sum(expected.getValue(), from + day * DAY, from + (day + 1) * DAY);
            assertEquals(0, sum.compareTo(actual.dailySums().list().get(day)), what);
        }
        if (days == 0) {
            assertNull(actual.fundingSum(), what);
        } else {
            assertEquals(0, sum(expected.getValue(), from, t).compareTo(actual.fundingSum()), what);
        }
    }

    /** Days back to the last instant at which it truly charged, or was listed, and nothing is known. */
    private int days(Map.Entry<ContractKey, PlainLedgers.Listing> contract, long t) {
        var unknown = new TreeSet<>(market.truth.get(contract.getKey()).headSet(t, true));
        var settlements = contract.getValue().settlements();
        unknown.removeIf(at -> !settlements
                .subMap(at - PlainLedgers.LATE_MS, true, at + PlainLedgers.LATE_MS, true)
                .isEmpty());
        // Every venue here publishes all that it settles or nothing: what it passes over did not happen as far as is
        // known.
        long published = settlements.entrySet().stream()
                .filter(p -> p.getValue().basis() != Basis.ESTIMATE)
                .mapToLong(Map.Entry::getKey)
                .max()
                .orElse(Long.MIN_VALUE);
        settlements.headMap(Math.min(published, t + 1)).forEach((at, p) -> {
            if (p.basis() == Basis.ESTIMATE) {
                unknown.add(at);
            }
        });
        return unknown.isEmpty() ? 30 : (int) Math.min(30, (t - unknown.last()) / DAY);
    }

    private static BigDecimal sum(PlainLedgers.Listing listing, long from, long to) {
        BigDecimal sum = BigDecimal.ZERO;
        for (var settlements : listing.settlements().entrySet()) {
            if (settlements.getKey() > from && settlements.getKey() <= to) {
                sum = sum.add(settlements.getValue().rate());
            }
        }
        return sum;
    }

    /** As anybody would write them who has read the topic of settlements. */
    private String lines(Map.Entry<ContractKey, PlainLedgers.Listing> contract, long from, long t) {
        var lines = new TreeMap<Long, String>();
        for (Settlement s : ledger.values()) {
            if (s.key().equals(contract.getKey())
                    && s.listingEpoch() == contract.getValue().listingEpoch()
                    && s.settledMs() > from
                    && s.settledMs() <= t
                    && !isAnother(contract.getValue(), s.settledMs())) {
                String rate = s.fundingRate().signum() == 0
                        ? "0"
                        : s.fundingRate().stripTrailingZeros().toPlainString();
                lines.put(
                        s.settledMs(),
                        s.venue() + "|" + s.symbol() + "|" + s.listingEpoch() + "|" + s.settledMs() + "|" + rate + "|"
                                + s.basis().name().toLowerCase(Locale.ROOT) + "\n");
            }
        }
        return String.join("", lines.values());
    }
}
