package io.fundingobservatory.streams.topology;

import io.fundingobservatory.topics.Quote;
import io.fundingobservatory.topics.Rate;
import org.apache.kafka.common.utils.Bytes;

/** How far a record has come. */
sealed interface Step {
    /** Read; the bytes go with it, in case that a later step refuses it. */
    record Parsed(Quote quote, Bytes original) implements Step {}

    /** Converted to 8 hours; the exchange's own spelling of the coin goes with it. */
    record Normal(String base, Rate rate) implements Step {}

    /** Goes to the dead letters as it came; the reason stands in the record's headers. A null value stays null. */
    record Refused(DeadLetter letter) implements Step {}
}
