package io.fundingobservatory.streams.rates;

import io.fundingobservatory.streams.listings.Listing;
import io.fundingobservatory.streams.processing.StoredJson;
import io.fundingobservatory.topics.json.JsonCodec;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * All that is stored of one contract; it is written with each new observation, and where the row is removed.
 *
 * @param listing identity, listing number and newest observation
 * @param shown whether {@code rates.latest} holds a row of it
 */
public record ContractState(Listing listing, boolean shown) {
    /** In memory with a compacted changelog, by {@code venue|symbol}. The name carries the version of its format. */
    public static final String STORE = "contracts-v5";

    private static final JsonCodec<ContractState> CODEC = JsonCodec.stored(ContractState.class);

    /** Written for each quote, and read whole before the first: its closed segments are compacted at once. */
    static StoreBuilder<?> builder() {
        return Stores.keyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore(STORE), Serdes.ByteArray(), StoredJson.serde(CODEC))
                .withLoggingEnabled(Map.of(
                        TopicConfig.SEGMENT_MS_CONFIG,
                        Long.toString(Duration.ofMinutes(3).toMillis())));
    }
}
