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
record CarryLine(
        long longLeg,
        long shortLeg,
        long days,
        boolean complete,
        @Nullable String reason,
        @Nullable BigDecimal fundingDifference,
        @Nullable Long positiveDays,
        @Nullable String receipt) {

    static final JsonCodec<CarryLine> CODEC = JsonCodec.<CarryLine>of("carry-line", 1)
            .integer("long", CarryLine::longLeg)
            .integer("short", CarryLine::shortLeg)
            .integer("days", CarryLine::days)
            .truth("complete", CarryLine::complete)
            .textOrNull("reason", CarryLine::reason)
            .decimalOrNull("funding_difference", CarryLine::fundingDifference)
            .integerOrNull("positive_days", CarryLine::positiveDays)
            .textOrNull("receipt", CarryLine::receipt)
            .build(f -> new CarryLine(
                    f.integer("long"),
                    f.integer("short"),
                    f.integer("days"),
                    f.truth("complete"),
                    f.textOrNull("reason"),
                    f.decimalOrNull("funding_difference"),
                    f.integerOrNull("positive_days"),
                    f.textOrNull("receipt")));

    static CarryLine of(CarryPair pair, long longLeg, long shortLeg) {
        return new CarryLine(
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
