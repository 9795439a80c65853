package io.fundingobservatory.testbed.sim;

import io.fundingobservatory.topics.records.AssetClass;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Wire format of one venue, written from its documents and recordings and not from its reader. Holds no
 * state.
 *
 * <p>{@link #traits} lists what the venue can list at all, starting from {@link Traits#usual}. {@link
 * #response} is one {@code switch} over {@link SimulatedRequest#address()} with one method for each endpoint.
 *
 * <p>Each method returns a {@link Json} of the market's contracts with the venue's own fields. It uses the
 * venue's spelling of numbers (text or bare) and units (percent, seconds, per 8 h). An absent value is
 * written as the venue writes it: {@code 0}, {@code ""}, {@code null} or no field. Rows of dead and dated
 * contracts appear where the venue lists them, with its own words for their state.
 *
 * <p>{@link SimulatedRequest#param} gives filters and pages. {@link SimulatedContract#settledBetween} gives
 * settled history; the wire adds the venue's order, page size and jitter. The class is {@code BinanceWire} for
 * {@code binance}; its limits are in {@code limits/PublishedLimits}.
 */
public interface Wire {
    /** Returns the venue's identifier, after which its class is named: {@code binance} of {@code BinanceWire}. */
    default String venue() {
        return getClass().getSimpleName().replace("Wire", "").toLowerCase(Locale.ROOT);
    }

    Traits traits();

    /** The exchange's own spelling of a contract. */
    String symbol(SimulatedContract contract);

    /** The class of a contract that a reader can find in the venue's own words; null where it states none. */
    default @Nullable AssetClass assetClass(SimulatedContract contract) {
        return null;
    }

    /** The builder market that lists a contract; null at the venue's own market. */
    default @Nullable String dex(SimulatedContract contract) {
        return null;
    }

    /** The body that the exchange responds with (HTTP 200); null for an unknown path. */
    @Nullable
    String response(SimulatedRequest request, MarketSnapshot market);

    /** Returns how the venue reports errors. */
    Errors errors();

    /** Returns the venue's own error body for an invalid request. */
    default String errorBody() {
        return errors().body();
    }

    /** The HTTP status that a body of {@link #response} goes out with: 200, unless the exchange refuses the request by it. */
    default int status(String body) {
        return 200;
    }

    /** Whether a request without a User-Agent is refused by the firewall in front of it, with HTTP 403 and a page. */
    default boolean needsUserAgent() {
        return false;
    }

    /** What a request gets, with HTTP 403, that accepts neither gzip nor br nor deflate; null where it is served uncompressed. */
    default @Nullable String uncompressedBody() {
        return null;
    }

    /** Whether the exchange declares an interval for this contract that its settlements contradict: no reader can detect it. */
    default boolean declaresFalsely(SimulatedContract contract) {
        return false;
    }
}
