package io.fundingobservatory.streams.topology;

import io.fundingobservatory.topics.Rate;
import org.jspecify.annotations.Nullable;

/**
 * What changes for one contract.
 *
 * @param base the exchange's own spelling of the coin; null when only time has passed
 * @param observed the new observation; null when only time has passed
 * @param latest the row as it is shown from now on; null when it is shown no longer
 */
record Update(
        @Nullable String base,
        @Nullable Rate observed,
        @Nullable Rate latest) {}
