package io.fundingobservatory.streams.rates;

import static io.fundingobservatory.testbed.SampleRecords.fields;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.streams.listings.Listing;
import io.fundingobservatory.streams.listings.ReadTime;
import io.fundingobservatory.streams.rates.ListingFollower.Followed;
import io.fundingobservatory.streams.topology.CountedMetrics;
import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A release that renames an asset starts while a settlement takes place: it is reported before the contract moves. */
class ListingFollowerTest {
    private static final long DUE = 1_790_006_400_000L;

    @Test
    void movesSettlementsWithTheRenamedContract() {
        ListingFollower listings = follower(new ReadTime());
        Followed first = follow(listings, null, rate("OLDNAME", DUE - 30_000, DUE));
        assertEquals(List.of("removed okx|XYZ-USDT-SWAP to OLDNAME", "listed OLDNAME"), told(first));
        Followed renamed = follow(listings, first.listing(), rate("XYZ", DUE + 30_000, DUE + 28_800_000));
        assertEquals(List.of("settlement OLDNAME", "removed OLDNAME to XYZ", "listed XYZ"), told(renamed));
        assertEquals(DUE, renamed.events().getFirst().settledMs());
    }

    /** The only contract of its venue in one partition was unlisted for eight days, in which those of other partitions were read. */
    @Test
    void countsTimeThatOtherTasksReadVenue() {
        var readTime = new ReadTime();
        ListingFollower alone = follower(readTime);
        ListingFollower others = follower(readTime);
        Listing listing = follow(alone, null, rate("XYZ", DUE, null)).listing();
        Listing other = null;
        for (long hour = 1; hour <= 8 * 24; hour++) {
            other = follow(others, other, rate("XYZ", DUE + hour * 3_600_000, null))
                    .listing();
        }
        Listing back = follow(alone, listing, rate("XYZ", DUE + 8 * 24 * 3_600_000, null))
                .listing();
        assertEquals(1, back.listingEpoch());
        assertEquals(0, other.listingEpoch());
    }

    private static ListingFollower follower(ReadTime readTime) {
        return new ListingFollower(new CountedMetrics(), readTime);
    }

    private static Followed follow(ListingFollower listings, @Nullable Listing known, Rate rate) {
        return listings.follow(known, "XYZ", rate, rate.observedAtMs());
    }

    private static List<String> told(Followed followed) {
        return followed.events().stream()
                .map(event -> event.kind().name().toLowerCase(Locale.ROOT) + " " + event.recordKey()
                        + (event.movedTo() == null ? "" : " to " + event.movedTo()))
                .toList();
    }

    private static Rate rate(String asset, long observedAtMs, @Nullable Long nextFundingMs) {
        var interval = new BigDecimal(8);
        return SampleRecords.rate(
                fields("venue", "okx", "symbol", "XYZ-USDT-SWAP", "asset", asset, "quote", "USDT"),
                fields("contract_type", ContractType.LINEAR, "asset_class", null, "dex", null),
                fields("funding_rate_8h", new BigDecimal("0.0001"), "funding_interval_h", interval),
                fields("funding_interval_source", IntervalSource.ROW, "funding_rate", new BigDecimal("0.0001")),
                fields("rate_kind", RateKind.ESTIMATE, "funding_rate_annualised", new BigDecimal("0.1095")),
                fields("next_funding_ms", nextFundingMs, "mark_price", BigDecimal.TEN, "index_price", null),
                fields("price_scale", BigDecimal.ONE, "venue_time_ms", observedAtMs, "observed_at_ms", observedAtMs),
                fields("stale", false));
    }
}
