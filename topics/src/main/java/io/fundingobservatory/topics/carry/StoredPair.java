package io.fundingobservatory.topics.carry;

import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.json.MalformedRecord;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@link CarryPair} as a table's record stores it. Its legs are given by their positions in the table's
 * list of legs, since one leg is in many pairs.
 */
record StoredPair(
        long longLeg,
        long shortLeg,
        long days,
        boolean complete,
        @Nullable String reason,
        @Nullable BigDecimal fundingDifference,
        @Nullable Long positiveDays,
        @Nullable String receipt) {

    static final JsonCodec<StoredPair> CODEC = JsonCodec.<StoredPair>of("carry-line", 1)
            .integer("long", StoredPair::longLeg)
            .integer("short", StoredPair::shortLeg)
            .integer("days", StoredPair::days)
            .truth("complete", StoredPair::complete)
            .textOrNull("reason", StoredPair::reason)
            .decimalOrNull("funding_difference", StoredPair::fundingDifference)
            .integerOrNull("positive_days", StoredPair::positiveDays)
            .textOrNull("receipt", StoredPair::receipt)
            .build(f -> new StoredPair(
                    f.integer("long"),
                    f.integer("short"),
                    f.integer("days"),
                    f.truth("complete"),
                    f.textOrNull("reason"),
                    f.decimalOrNull("funding_difference"),
                    f.integerOrNull("positive_days"),
                    f.textOrNull("receipt")));

    static StoredPair of(CarryPair pair, long longLeg, long shortLeg) {
        return new StoredPair(
                longLeg,
                shortLeg,
                pair.days(),
                pair.complete(),
                pair.reason(),
                pair.fundingDifference(),
                pair.positiveDays(),
                pair.receipt());
    }

    CarryPair pair(List<CarryLeg> legs) throws MalformedRecord {
        return new CarryPair(
                leg("long", longLeg, legs),
                leg("short", shortLeg, legs),
                days,
                complete,
                reason,
                fundingDifference,
                positiveDays,
                receipt);
    }

    private static CarryLeg leg(String name, long place, List<CarryLeg> legs) throws MalformedRecord {
        if (place < 0 || place >= legs.size()) {
            throw new MalformedRecord(name + " names leg " + place + " of " + legs.size());
        }
        return legs.get((int) place);
    }
}
