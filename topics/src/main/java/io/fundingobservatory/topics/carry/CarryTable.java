package io.fundingobservatory.topics.carry;

import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.json.MalformedRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * The carry pairs of one asset over the 30-day window (T − 720 h, T].
 *
 * @param asset the normalised asset name
 * @param windowStartMs T − 720 h, epoch ms UTC, not included
 * @param windowEndMs T, the last whole UTC hour, epoch ms UTC, included
 * @param legs every leg of a pair, once for each length of a common window
 * @param pairs every eligible pair, complete ones and others
 * @param refused pairs of one name whose prices do not agree
 */
public record CarryTable(
        String asset,
        long windowStartMs,
        long windowEndMs,
        List<CarryLeg> legs,
        List<CarryPair> pairs,
        List<CarryRefusal> refused) {

    public CarryTable {
        legs = List.copyOf(legs);
        pairs = List.copyOf(pairs);
        refused = List.copyOf(refused);
    }

    /** The table of these pairs and their legs. */
    public CarryTable(
            String asset, long windowStartMs, long windowEndMs, List<CarryPair> pairs, List<CarryRefusal> refused) {
        this(asset, windowStartMs, windowEndMs, legsOf(pairs), pairs, refused);
    }

    public static final JsonCodec<CarryTable> CODEC = JsonCodec.<CarryTable>of("carry-table", 1)
            .text("asset", CarryTable::asset)
            .integer("window_start_ms", CarryTable::windowStartMs)
            .integer("window_end_ms", CarryTable::windowEndMs)
            .list("legs", CarryLeg.CODEC, CarryTable::legs)
            .list("pairs", StoredPair.CODEC, CarryTable::lines)
            .list("refused", CarryRefusal.CODEC, CarryTable::refused)
            .build(f -> new CarryTable(
                    f.text("asset"),
                    f.integer("window_start_ms"),
                    f.integer("window_end_ms"),
                    f.list("legs"),
                    pairs(f.list("pairs"), f.list("legs")),
                    f.list("refused")));

    private static List<CarryLeg> legsOf(List<CarryPair> pairs) {
        var legs = new LinkedHashSet<CarryLeg>();
        for (CarryPair pair : pairs) {
            legs.add(pair.longLeg());
            legs.add(pair.shortLeg());
        }
        return List.copyOf(legs);
    }

    private List<StoredPair> lines() {
        var places = new HashMap<CarryLeg, Long>();
        legs.forEach(leg -> places.put(leg, (long) places.size()));
        return pairs.stream()
                .map(pair -> StoredPair.of(pair, place(places, pair.longLeg()), place(places, pair.shortLeg())))
                .toList();
    }

    private static long place(HashMap<CarryLeg, Long> places, CarryLeg leg) {
        Long place = places.get(leg);
        if (place == null) {
            throw new IllegalStateException("a pair's leg is not among the table's legs");
        }
        return place;
    }

    private static List<CarryPair> pairs(List<StoredPair> lines, List<CarryLeg> legs) throws MalformedRecord {
        var pairs = new ArrayList<CarryPair>(lines.size());
        for (StoredPair line : lines) {
            pairs.add(line.pair(legs));
        }
        return pairs;
    }
}
