package io.fundingobservatory.streams.formats;

import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.topics.records.ContractKey;
import org.apache.kafka.common.utils.Bytes;

/**
 * A UTC day of settlements of a contract that has another asset now, on its way there.
 *
 * @param listingEpoch the listing that the settlements belong to from now on
 * @param sinceMs settlements up to this instant belong to an earlier listing and stay behind, epoch ms
 * @param dayMs the beginning of the day, epoch ms
 * @param day as {@link SettlementDay#write} returned it
 */
public record MovedDay(ContractKey key, long listingEpoch, long sinceMs, long dayMs, Bytes day) {}
