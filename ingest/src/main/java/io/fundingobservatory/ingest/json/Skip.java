package io.fundingobservatory.ingest.json;

import com.google.errorprone.annotations.CompileTimeConstant;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Leaves one row out, with the reason that is counted. Thrown inside a row reader and caught by {@code Rows}; it goes no further.
 */
public final class Skip extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    /** Dated futures, spot pairs, swaps without funding, indices: not what this service is about. */
    public static final SkipReason NOT_PERPETUAL = SkipReason.of("not_perpetual");

    /** Delisted, settling, paused, pre-listing, hidden: the row is there, the market is not. */
    public static final SkipReason NOT_TRADING = SkipReason.of("not_trading");

    /** The exchange's instrument list lacks the symbol, and the row alone is not enough. */
    public static final SkipReason NOT_IN_INSTRUMENT_LIST = SkipReason.of("not_in_instrument_list");

    /** The venue's instrument list is not available or is empty, and the row alone does not suffice. */
    public static final SkipReason NO_INSTRUMENT_LIST = SkipReason.of("no_instrument_list");

    /** The row has no funding rate at this moment; where no row of a venue has one, the field may have been renamed. */
    public static final SkipReason NO_FUNDING_RATE = SkipReason.of("no_funding_rate");

    /** The settlement that the rate is for has passed: it is the one just charged, or a copy that a cache has kept. */
    public static final SkipReason SETTLEMENT_PASSED = SkipReason.of("settlement_passed");

    /** A row of settled history whose settlement is still to come. */
    public static final SkipReason NOT_SETTLED_YET = SkipReason.of("not_settled_yet");

    /** A row of settled history that is a payment of another kind: a share's dividend. */
    public static final SkipReason SPECIAL_PAYMENT = SkipReason.of("special_payment");

    /** Two rows of one response disagree about the same symbol; neither is shown. */
    public static final SkipReason CONTRADICTED = SkipReason.of("contradicted");

    /** A status or type that this reader does not list; never guessed. */
    public static final SkipReason UNKNOWN_STATE = SkipReason.of("unknown_state");

    private final SkipReason reason;

    private Skip(SkipReason reason) {
        super(reason.toString(), null, false, false);
        this.reason = reason;
    }

    public static Skip because(SkipReason reason) {
        return new Skip(reason);
    }

    /** A field that must be there is absent or misshapen. */
    public static Skip unreadable(@CompileTimeConstant String field) {
        return new Skip(SkipReason.unreadable(field));
    }

    /** Skips the row for this reason unless the condition holds. */
    public static void unless(boolean holds, SkipReason reason) {
        if (!holds) {
            throw because(reason);
        }
    }

    /**
     * Skips the row when the settlement that its rate is announced for had passed when the row was read. The
     * rate is then the settled one, and the venue has not moved on to the next. A settlement more than a day
     * ago belongs to a recording. Its row is read here; in a poll, the guards leave such a row out.
     *
     * @param nextMs the announced settlement, epoch ms; null when none is announced
     * @param readAtMs when the response arrived, epoch ms
     * @param late how long the venue names a passed settlement although its rate is already the next one's
     */
    public static void ifSettlementPassed(@Nullable Long nextMs, long readAtMs, Duration late) {
        long passedMs = nextMs == null ? -1 : readAtMs - nextMs;
        unless(passedMs < 0 || passedMs < late.toMillis() || passedMs >= DAY_MS, SETTLEMENT_PASSED);
    }

    /**
     * Returns the instrument listed under the row's symbol. Skips the row when the list does not contain the
     * symbol. An empty list counts as missing, because venues return one while they restart. A list also
     * appears empty when its rows have moved to another path.
     */
    public static JsonValue ifUnlisted(Map<String, JsonValue> list, String symbol) {
        unless(!list.isEmpty(), NO_INSTRUMENT_LIST);
        JsonValue instrument = list.get(symbol);
        if (instrument == null) {
            throw because(NOT_IN_INSTRUMENT_LIST);
        }
        return instrument;
    }

    public SkipReason reason() {
        return reason;
    }
}
