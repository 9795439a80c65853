package io.fundingobservatory.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.runtime.TopicReader;
import io.fundingobservatory.topics.Topics;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What asset each contract is of according to {@code rates.normalised}; the model then judges everything else of a row. */
public final class PublishedNames implements Names {
    private final Map<String, Asset> assets = new HashMap<>();

    /** Reads the topic up to its present end. */
    public PublishedNames(String brokers) {
        try (var rows = RatesReader.consumer(brokers, Topics.RATES_NORMALISED.name(), "read_committed")) {
            new TopicReader<>(rows).toEnd(record -> {
                Map<String, @Nullable Object> row = Json.object(record.value());
                if (row.get("asset") instanceof String asset && row.get("price_scale") instanceof BigDecimal scale) {
                    assets.put(new String(record.key(), UTF_8), new Asset(asset, scale));
                }
            });
        }
    }

    @Override
    public @Nullable Asset of(String venue, String symbol) {
        return assets.get(venue + "|" + symbol);
    }
}
