package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.ROW;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.QuoteBuilder;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Variational Omni: one response with every listing.
 *
 * <p>{@code funding_rate} is a fraction of notional for a whole year, whatever the listing's interval. An
 * interval of 0 marks a swap, which charges no funding. There is no index price, no next settlement and no
 * settled history. A name like {@code OPN_OPINION} distinguishes two coins of one code and is used unchanged
 * as the base coin. Everything is quoted and paid in USDC.
 *
 * <pre>{@code
 * metadata_stats: {"ticker": "BTC", "mark_price": "64010.5565140889", "funding_rate": "0.091241",
 *   "funding_interval_s": 28800, "quotes": {"updated_at": "2026-09-21T14:13:06.684094484Z"}}
 * }</pre>
 */
final class Variational implements Venue {
    private static final int HOURS_OF_A_YEAR = 8_760;

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("variational")
                .docs("https://docs.variational.io/technical-documentation/api", "2026-09-13")
                .rate(RateKind.ESTIMATE)
                .limit("omni-client-api.prod.ap-northeast-1.variational.io", 10, 10)
                .request(get(
                        "metadata_stats", "https://omni-client-api.prod.ap-northeast-1.variational.io/metadata/stats"))
                .build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        rows.each(responses.rows("metadata_stats", "listings"), "ticker", row -> {
            BigDecimal seconds = row.decimalOrNull("funding_interval_s");
            if (seconds != null && seconds.signum() == 0) {
                throw Skip.because(Skip.NOT_PERPETUAL);
            }
            return QuoteBuilder.linear(row.text("ticker"), "USDC")
                    .rate(row.fundingRate("funding_rate"))
                    .coversHours(HOURS_OF_A_YEAR)
                    .intervalSeconds(seconds, ROW)
                    .mark(row.price("mark_price"))
                    .venueTime(row.at("quotes").iso("updated_at"));
        });
    }

    // What the body of an error looks like is unconfirmed: a response without the list is none.
    @Override
    public @Nullable VenueError error(JsonValue body) {
        return body.at("listings").isArray() ? null : new VenueError("no listings", false);
    }
}
