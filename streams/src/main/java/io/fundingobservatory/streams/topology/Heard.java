package io.fundingobservatory.streams.topology;

import io.fundingobservatory.topics.Rate;
import io.fundingobservatory.topics.SettledRate;
import java.math.BigDecimal;

/** What is heard about the funding payments of a contract. */
sealed interface Heard {
    /** A new reading of its rate, under the exchange's own spelling of the coin. */
    record Observed(String base, Rate rate) implements Heard {}

    /** A settlement that the exchange published, and the fraction of notional that it charged. */
    record Published(SettledRate settled, BigDecimal fundingRate) implements Heard {}

    /** Goes to the dead letters as it came; the reason stands in the record's headers. */
    record Refused(DeadLetter letter) implements Heard {}
}
