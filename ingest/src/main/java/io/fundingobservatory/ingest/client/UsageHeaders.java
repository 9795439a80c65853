package io.fundingobservatory.ingest.client;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much of a limit is used by the exchange's own count, which includes requests of other programs from our IP address.
 *
 * <p>Known spellings: used of a known limit ({@code x-mbx-used-weight-1m} of Binance and Aster); remaining and limit (Gate
 * {@code x-gate-ratelimit-requests-remain}/{@code -limit}, KuCoin {@code gw-ratelimit-remaining}/{@code -limit}, HTX and others
 * {@code [x-]ratelimit-remaining}/{@code -limit}). Other headers are ignored.
 */
final class UsageHeaders {
    private static final String USED_WEIGHT = "x-mbx-used-weight-1m";
    private static final String[][] REMAINING_AND_LIMIT = {
        {"x-gate-ratelimit-requests-remain", "x-gate-ratelimit-limit"},
        {"gw-ratelimit-remaining", "gw-ratelimit-limit"},
        {"x-ratelimit-remaining", "x-ratelimit-limit"},
        {"ratelimit-remaining", "ratelimit-limit"},
    };

    private UsageHeaders() {}

    /**
     * The used part in percent; 0 when the headers lack it. Headers that name only what is used are compared with the
     * units a minute of the host's published limit.
     */
    static int usedPercent(Map<String, String> headers, long publishedPerMinute) {
        BigDecimal used = number(headers.get(USED_WEIGHT));
        if (used != null && publishedPerMinute > 0) {
            return percent(used, BigDecimal.valueOf(publishedPerMinute));
        }
        for (String[] names : REMAINING_AND_LIMIT) {
            BigDecimal remaining = number(headers.get(names[0]));
            BigDecimal limit = number(headers.get(names[1]));
            if (remaining != null && limit != null && limit.signum() > 0 && remaining.compareTo(limit) <= 0) {
                return percent(limit.subtract(remaining), limit);
            }
        }
        return 0;
    }

    private static int percent(BigDecimal part, BigDecimal whole) {
        BigDecimal percent = part.multiply(BigDecimal.valueOf(100)).divide(whole, 0, RoundingMode.UP);
        return percent.min(BigDecimal.valueOf(1_000)).intValue();
    }

    private static @Nullable BigDecimal number(@Nullable String text) {
        return text != null && text.matches("\\d{1,12}(\\.\\d{1,9})?") ? new BigDecimal(text) : null;
    }
}
