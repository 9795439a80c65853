package io.fundingobservatory.streams.pairs;

import io.fundingobservatory.streams.formats.Format;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.topics.records.ContractKey;

/**
 * A UTC day of settlements of a contract that has another asset now, on its way there.
 *
 * @param listingEpoch the listing that the settlements belong to from now on
 * @param sinceMs settlements up to this instant belong to an earlier listing and stay behind, epoch ms
 */
public record MovedDay(ContractKey key, long listingEpoch, long sinceMs, SettlementDay day) {
    public static final Format<MovedDay> FORMAT = Format.of("moved-day", 2, MovedDay.class);
}
