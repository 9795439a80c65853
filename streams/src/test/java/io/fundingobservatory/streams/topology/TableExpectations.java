package io.fundingobservatory.streams.topology;

import static io.fundingobservatory.streams.topology.SimulatedMarket.DAY;
import static io.fundingobservatory.streams.topology.SimulatedMarket.HOUR;
import static io.fundingobservatory.streams.topology.SimulatedMarket.START;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.oracle.Json;
import io.fundingobservatory.oracle.LedgerModel;
import io.fundingobservatory.oracle.PairsModel;
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
import java.time.Instant;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Assertions;

/** Holds what was published (settlements, pair tables, qualities) against the oracle and against what the simulated market charged. */
final class TableExpectations {
    private static final String ESTIMATE = word(Basis.ESTIMATE);

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
    int compare(TreeMap<ContractKey, LedgerModel.Listing> expected, long nowMs) throws Exception {
        long t = (nowMs - 600_000) / HOUR * HOUR;
        var settlements = new TreeMap<String, BigDecimal>();
        expected.forEach((key, listing) -> listing.settlements().forEach((at, p) -> {
            if (at > nowMs - 31 * DAY) {
                settlements.put(
                        key + " " + listing.epoch() + " " + at + " " + p.basis(),
                        p.rate().stripTrailingZeros());
            }
        }));
        var published = new TreeMap<String, BigDecimal>();
        ledger.values().forEach(s -> {
            var listing = expected.get(s.key());
            if (listing.epoch() == s.listingEpoch()
                    && s.settledMs() > nowMs - 31 * DAY
                    && !isAnother(listing, s.settledMs())) {
                assertEquals(expected.get(s.key()).asset(), s.asset());
                assertTrue(Math.abs(s.settledRawMs() - s.settledMs()) <= 30_000, s::toString);
                published.put(
                        s.key() + " " + s.listingEpoch() + " " + s.settledMs() + " " + word(s.basis()),
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
        var sums = new PairsModel(LedgerModel.known(expected), Assertions::fail);
        for (String asset : assets) {
            sums.table(Json.object(table.get(asset)));
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
    private static boolean isAnother(LedgerModel.Listing listing, long settledMs) {
        return !listing.settlements().containsKey(settledMs)
                && !listing.settlements()
                        .subMap(settledMs - LedgerModel.LATE_MS, true, settledMs + LedgerModel.LATE_MS, true)
                        .isEmpty();
    }

    /** The errors of the window's UTC days, sorted; the one that half of them, or 95 %, do not exceed, to three digits. */
    private void compareQuality(TreeMap<ContractKey, LedgerModel.Listing> expected, long t) {
        var venues = new HashSet<String>();
        long days = t / (24 * HOUR) * 24 * HOUR - 29 * 24 * HOUR;
        expected.forEach((key, listing) -> {
            if (listing.epoch() > 0) {
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
    private static boolean comparable(LedgerModel.Listing a, LedgerModel.Listing b, String asset) {
        boolean oneAsset =
                a.last().markPrice().subtract(b.last().markPrice()).abs().compareTo(new BigDecimal(1_000)) < 0;
        return a.asset().equals(asset)
                && b.asset().equals(asset)
                && a.last().contractType() == b.last().contractType()
                && oneAsset;
    }

    private int compare(
            CarryPair actual,
            Map.Entry<ContractKey, LedgerModel.Listing> a,
            Map.Entry<ContractKey, LedgerModel.Listing> b,
            long t) {
        int days = Math.min(days(a, t), days(b, t));
        String what = a.getKey() + " " + b.getKey() + " at " + Instant.ofEpochMilli(t);
        assertEquals(days, actual.days(), what);
        assertEquals(days == 30, actual.complete(), what);
        assertEquals(days == 30, actual.reason() == null, what);
        boolean aIsShort = actual.shortLeg().venue().equals(a.getKey().venue());
        leg(aIsShort ? a : b, actual.shortLeg(), what);
        leg(aIsShort ? b : a, actual.longLeg(), what);
        return days == 30 ? 1 : 0;
    }

    private static void leg(Map.Entry<ContractKey, LedgerModel.Listing> expected, CarryLeg actual, String what) {
        assertEquals(expected.getKey(), new ContractKey(actual.venue(), actual.symbol()), what);
        assertEquals(expected.getValue().epoch(), actual.listingEpoch(), what);
        assertEquals("USDT", actual.quote(), what);
    }

    private static String word(Basis basis) {
        return basis.name().toLowerCase(Locale.ROOT);
    }

    /** Days back to the last instant at which it truly charged, or was listed, and nothing is known. */
    private int days(Map.Entry<ContractKey, LedgerModel.Listing> contract, long t) {
        var unknown = new TreeSet<>(market.truth.get(contract.getKey()).headSet(t, true));
        var settlements = contract.getValue().settlements();
        unknown.removeIf(at -> !settlements
                .subMap(at - LedgerModel.LATE_MS, true, at + LedgerModel.LATE_MS, true)
                .isEmpty());
        // Every venue here publishes all that it settles or nothing: what it passes over did not happen as far as is
        // known.
        long published = settlements.entrySet().stream()
                .filter(p -> !p.getValue().basis().equals(ESTIMATE))
                .mapToLong(Map.Entry::getKey)
                .max()
                .orElse(Long.MIN_VALUE);
        settlements.headMap(Math.min(published, t + 1)).forEach((at, p) -> {
            if (p.basis().equals(ESTIMATE)) {
                unknown.add(at);
            }
        });
        return unknown.isEmpty() ? 30 : (int) Math.min(30, (t - unknown.last()) / DAY);
    }
}
