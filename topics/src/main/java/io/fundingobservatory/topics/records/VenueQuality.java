package io.fundingobservatory.topics.records;

import io.fundingobservatory.topics.json.JsonCodec;
import java.math.BigDecimal;

/**
 * How far the last reading before a funding settlement was from what the venue then published as settled. The
 * window is 30 days (T − 720 h, T]. Only settlements of which both are known count.
 *
 * @param venue the venue's identifier
 * @param windowStartMs T − 720 h, epoch ms UTC, not included
 * @param windowEndMs T, a whole UTC hour, epoch ms UTC, included
 * @param settlements how many settlements were compared; at least 1
 * @param errorP50 median of |settled − estimate|, fraction of notional per 8 hours. Each difference counts
 *     times 8, divided by the hours that its settlement closed
 * @param errorP95 the same for 95 %
 */
public record VenueQuality(
        String venue,
        long windowStartMs,
        long windowEndMs,
        long settlements,
        BigDecimal errorP50,
        BigDecimal errorP95) {

    public static final JsonCodec<VenueQuality> CODEC = JsonCodec.<VenueQuality>of("venue-quality", 1)
            .text("venue", VenueQuality::venue)
            .integer("window_start_ms", VenueQuality::windowStartMs)
            .integer("window_end_ms", VenueQuality::windowEndMs)
            .integer("settlements", VenueQuality::settlements)
            .decimal("estimate_error_p50", VenueQuality::errorP50)
            .decimal("estimate_error_p95", VenueQuality::errorP95)
            .build(f -> new VenueQuality(
                    f.text("venue"),
                    f.integer("window_start_ms"),
                    f.integer("window_end_ms"),
                    f.integer("settlements"),
                    f.decimal("estimate_error_p50"),
                    f.decimal("estimate_error_p95")));
}
