package io.fundingobservatory.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.carry.Contract;
import io.fundingobservatory.topics.ContractKey;
import io.fundingobservatory.topics.Settlement;

/** What the pair table of an asset has to know, as told by those who follow single contracts. */
sealed interface Note extends Finding {
    /** The asset whose table it concerns. */
    String asset();

    /** The key under which all notes on one asset meet. */
    default byte[] assetKey() {
        return asset().getBytes(UTF_8);
    }

    /**
     * The contract is listed, and what it is.
     *
     * @param atMs when that was read, epoch ms
     */
    record Listed(Contract contract, long atMs) implements Note {
        @Override
        public String asset() {
            return contract.asset();
        }
    }

    /** The ticker stands for another asset now. */
    record Gone(ContractKey key, String asset) implements Note {}

    /** A payment, new or better known than before. */
    record Paid(Settlement settlement) implements Note {
        @Override
        public String asset() {
            return settlement.asset();
        }
    }

    /** A payment came due, and nobody saw what was charged. */
    record Expected(ContractKey key, long epoch, String asset, long settledMs) implements Note {}
}
