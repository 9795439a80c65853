package io.fundingobservatory.streams.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.streams.formats.ContractState.Restored;
import io.fundingobservatory.streams.topology.CountedMetrics;
import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Settlement;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records of other writers on the published ledger are counted and skipped; the rest gives back listing numbers. */
class PublishedListingsTest {
    private static final long HOUR = 3_600_000;
    private static final long AT = 1_790_000_000_000L / HOUR * HOUR;
    private static final long YEARS_LATER = AT + 24 * 365 * HOUR;

    private final CountedMetrics metrics = new CountedMetrics();
    private final PublishedListings listings = new PublishedListings(metrics);

    @Test
    void countsAndSkipsRecordsOfOtherWriters() {
        read("okx|X", new byte[] {1, 2, 3});
        read("okx|X", null);
        read(null, Settlement.CODEC.encode(settlement("X", 0, AT, AT, "0.0001", "8")));
        read("okx|Y", Settlement.CODEC.encode(settlement("X", 0, AT, AT, "0.0001", "8")));
        assertEquals(Map.of("unreadable", 4L), metrics.refusals());
        for (Settlement odd : List.of(
                settlement("X", 0, AT, AT, "0." + "9".repeat(64), "8"),
                settlement("X", 0, AT, AT, "11", "8"),
                settlement("X", 0, AT, AT, "0.0001", "0.00001"),
                settlement("X", 0, AT, AT, "0.0001", "169"),
                settlement("X", 0, AT, AT + 30_001, "0.0001", "8"),
                settlement("X", 0, AT + 1, AT + 1, "0.0001", "8"),
                settlement("X", 0, Long.MAX_VALUE, Long.MAX_VALUE, "0.0001", "8"),
                settlement("X", 0, YEARS_LATER, YEARS_LATER, "0.0001", "8"),
                settlement("X", -1, AT, AT, "0.0001", "8"),
                settlement("X", Long.MAX_VALUE, AT, AT, "0.0001", "8"),
                settlement("a\nb", 0, AT, AT, "0.0001", "8"))) {
            read(odd.key().toString(), Settlement.CODEC.encode(odd));
        }
        assertEquals(Map.of("unreadable", 4L, "implausible", 11L), metrics.refusals());
        assertEquals(Map.of(), listings.byContract());
    }

    /** The newest listing counts, whichever order its settlements come in. */
    @Test
    void knowsTheNewestListingOfEachContract() {
        read("okx|X", Settlement.CODEC.encode(settlement("X", 2, AT, AT + 29_999, "-0.0001", "8")));
        assertEquals(
                Map.of(new ContractKey("okx", "X"), new Restored(2, "BTC", Long.MIN_VALUE, AT)), listings.byContract());
        read("okx|X", Settlement.CODEC.encode(settlement("X", 1, AT - HOUR, AT - HOUR, "0.0001", "8")));
        read("okx|X", Settlement.CODEC.encode(settlement("X", 2, AT + HOUR, AT + HOUR, "0.0001", "8")));
        assertEquals(
                Map.of(new ContractKey("okx", "X"), new Restored(2, "BTC", AT - HOUR, AT + HOUR)),
                listings.byContract());
        assertEquals(Map.of(), metrics.refusals());
    }

    private void read(@Nullable String key, byte @Nullable [] value) {
        byte[] bytes = key == null ? null : key.getBytes(UTF_8);
        listings.read(new ConsumerRecord<>(Topics.SETTLEMENTS.name(), 0, 0, bytes, value));
    }

    private static Settlement settlement(
            String symbol, long listingEpoch, long settledMs, long rawMs, String rate, String intervalH) {
        return SampleRecords.settlement(
                "venue",
                "okx",
                "symbol",
                symbol,
                "listing_epoch",
                listingEpoch,
                "asset",
                "BTC",
                "settled_ms",
                settledMs,
                "settled_raw_ms",
                rawMs,
                "funding_rate",
                new BigDecimal(rate),
                "basis",
                Basis.ESTIMATE,
                "funding_interval_h",
                new BigDecimal(intervalH),
                "observed_at_ms",
                AT - 30_000);
    }
}
