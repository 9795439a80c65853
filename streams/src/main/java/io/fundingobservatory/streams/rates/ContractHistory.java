package io.fundingobservatory.streams.rates;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.formats.ContractState;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.ContractKey;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * What the published ledger knows of contracts after their states were lost: the asset and the listing number.
 *
 * @param byContract empty unless the states were lost
 */
public record ContractHistory(Map<ContractKey, ContractState.Restored> byContract) {
    /** Nothing was lost. */
    public static final ContractHistory NONE = new ContractHistory(Map.of());

    public ContractHistory {
        byContract = Map.copyOf(byContract);
    }

    /** The state of a contract without a quote, by {@code venue|symbol}; null when the ledger does not know it. */
    @Nullable
    ContractState of(byte[] key) {
        if (byContract.isEmpty()) {
            return null;
        }
        ContractState.Restored restored = byContract.get(ContractKey.parse(new String(key, UTF_8)));
        return restored == null ? null : state(restored);
    }

    void eachOf(int partition, BiConsumer<byte[], ContractState> each) {
        byContract.forEach((contract, restored) -> {
            byte[] key = contract.toString().getBytes(UTF_8);
            if (Utils.toPositive(Utils.murmur2(key)) % Topics.QUOTES_RAW.partitions() == partition) {
                each.accept(key, state(restored));
            }
        });
    }

    /** The state of a contract without a quote. It counts as shown: whether it has a row was lost with its former state. */
    private static ContractState state(ContractState.Restored restored) {
        return new ContractState(null, restored, null, true);
    }
}
