package io.fundingobservatory.topics.carry;

import io.fundingobservatory.topics.json.JsonCodec;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Two contracts under one asset name whose prices show two different coins: the newest two that were read within an hour of each other.
 *
 * @param venueA the first exchange, in alphabetical order
 * @param symbolA its contract
 * @param priceA its mark price per coin, in quote currency; null when unknown
 * @param venueB the second exchange
 * @param symbolB its contract
 * @param priceB its mark price per coin, in quote currency; null when unknown
 * @param reason {@code price_differs}
 */
public record CarryRefusal(
        String venueA,
        String symbolA,
        @Nullable BigDecimal priceA,
        String venueB,
        String symbolB,
        @Nullable BigDecimal priceB,
        String reason) {

    public static final JsonCodec<CarryRefusal> CODEC = JsonCodec.<CarryRefusal>of("carry-refusal", 1)
            .text("venue_a", CarryRefusal::venueA)
            .text("symbol_a", CarryRefusal::symbolA)
            .decimalOrNull("price_a", CarryRefusal::priceA)
            .text("venue_b", CarryRefusal::venueB)
            .text("symbol_b", CarryRefusal::symbolB)
            .decimalOrNull("price_b", CarryRefusal::priceB)
            .text("reason", CarryRefusal::reason)
            .build(f -> new CarryRefusal(
                    f.text("venue_a"),
                    f.text("symbol_a"),
                    f.decimalOrNull("price_a"),
                    f.text("venue_b"),
                    f.text("symbol_b"),
                    f.decimalOrNull("price_b"),
                    f.text("reason")));
}
