package io.fundingobservatory.streams.rates;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.listings.Listing;
import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.ContractEvent;
import io.fundingobservatory.topics.records.ContractKey;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Makes the events of a contract, and their records. */
final class ContractEvents {
    private static final Headers SCHEMA = new RecordHeaders().add(Topics.CONTRACT_EVENTS.schemaHeader());

    private ContractEvents() {}

    /** The contract is listed, with its price and funding interval as last published. */
    static ContractEvent listed(ContractKey key, Listing listing) {
        return ContractEvent.listed(
                key,
                listing.asset(),
                listing.listingEpoch(),
                since(listing.sinceMs()),
                listing.identity().quote(),
                listing.type(),
                listing.published().intervalH(),
                listing.published().coinPrice(),
                listing.published().atMs());
    }

    /** The contract leaves an asset, null before its first quote, and its settlements move with it. */
    static ContractEvent moved(ContractKey key, @Nullable String formerAsset, Listing listing) {
        return ContractEvent.removed(
                key,
                formerAsset,
                listing.listingEpoch(),
                since(listing.sinceMs()),
                listing.asset(),
                listing.observedAtMs());
    }

    /** The contract leaves the pairs of its asset: its venue has closed. */
    static ContractEvent closed(ContractKey key, Listing listing) {
        return ContractEvent.removed(key, listing.asset(), listing.listingEpoch(), null, null, listing.observedAtMs());
    }

    /** {@code listing} is null before the first quote; {@code rawMs} is the instant as published, epoch ms UTC. */
    static ContractEvent settlement(
            ContractKey key, @Nullable Listing listing, KnownSettlement settlement, long rawMs) {
        return ContractEvent.settlement(
                key,
                listing == null ? null : listing.asset(),
                listing == null ? 0 : listing.listingEpoch(),
                settlement.settledMs(),
                rawMs,
                settlement.rate(),
                settlement.basis(),
                settlement.intervalH(),
                settlement.observedAtMs());
    }

    private static @Nullable Long since(long sinceMs) {
        return sinceMs == Long.MIN_VALUE ? null : Long.valueOf(sinceMs);
    }

    /** The event as a record of {@code contract.events}, stamped with the time of the record that it follows from, epoch ms. */
    static Record<byte[], byte[]> record(ContractEvent event, long stampMs) {
        return new Record<>(event.recordKey().getBytes(UTF_8), ContractEvent.CODEC.encode(event), stampMs, SCHEMA);
    }
}
