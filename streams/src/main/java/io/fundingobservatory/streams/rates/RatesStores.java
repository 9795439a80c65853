package io.fundingobservatory.streams.rates;

import io.fundingobservatory.streams.formats.Formats;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** The store of {@code rates}, in memory with a compacted changelog. Its name carries the version of its format. */
public final class RatesStores {
    /** By {@code venue|symbol}: identity, listing number, newest observation, whether its row is shown. */
    public static final String CONTRACTS = "contracts-v2";

    private RatesStores() {}

    /** Written for each quote, and read whole before the first: its closed segments are compacted at once. */
    public static StoreBuilder<?> contracts() {
        return Stores.keyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore(CONTRACTS), Serdes.ByteArray(), Formats.CONTRACT.serde())
                .withLoggingEnabled(Map.of(
                        TopicConfig.SEGMENT_MS_CONFIG,
                        Long.toString(Duration.ofMinutes(3).toMillis())));
    }
}
