package io.fundingobservatory.streams.formats;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.carry.Contract;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Settlement;

/** What changes the pair table of an asset, on its way from the contract's partition to the asset's. */
public sealed interface PairEvent {
    /** The asset whose table it concerns. */
    String asset();

    /** The key under which all events of one asset meet. */
    default byte[] assetKey() {
        return asset().getBytes(UTF_8);
    }

    /**
     * The contract is listed, and what it is.
     *
     * @param atMs when that was read, epoch ms
     */
    record ContractListed(Contract contract, long atMs) implements PairEvent {
        @Override
        public String asset() {
            return contract.asset();
        }
    }

    /** The ticker stands for another asset now. */
    record ContractRemoved(ContractKey key, String asset) implements PairEvent {}

    /** A payment, new or better known than before. */
    record SettlementRecorded(Settlement settlement) implements PairEvent {
        @Override
        public String asset() {
            return settlement.asset();
        }
    }

    /** A payment came due, and no reading tells what was charged. */
    record SettlementExpected(ContractKey key, long epoch, String asset, long settledMs) implements PairEvent {}
}
