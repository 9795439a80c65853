package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.ingest.venues.Registry;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Delta's next settlement and interval come from its products, so these are as new as the rates. */
class DeltaIntervalTest extends VenuePollerFixture {
    private static final String PRODUCT = """
            {"success":true,"result":[{"symbol":"BTCUSDT","contract_type":"perpetual_futures","state":"live",
             "trading_status":"operational","notional_type":"vanilla","underlying_asset":{"symbol":"BTC"},
             "quoting_asset":{"symbol":"USDT"},"settling_asset":{"symbol":"USDT"},
             "product_specs":{"rate_exchange_interval":%d}}]}
            """;

    @Test
    void changedIntervalIsReadWithinMinutes() {
        exchange = request -> {
            if (request.name().equals("products")) {
                return json(PRODUCT.formatted(time.elapsedMs() < 90_000 ? 28_800 : 3_600));
            }
            return json("""
                    {"success":true,"result":[{"symbol":"BTCUSDT","funding_rate":"0.01","mark_price":"1",
                     "spot_price":"1","timestamp":%d000}]}
                    """.formatted(time.nowMs()));
        };
        poll(Objects.requireNonNull(Registry.find("delta")), Duration.ofMinutes(4));

        assertEquals(0, lastQuotes.getFirst().intervalH().compareTo(BigDecimal.ONE));
        long hour = 3_600_000;
        assertEquals((time.nowMs() / hour + 1) * hour, lastQuotes.getFirst().nextFundingMs());
    }
}
