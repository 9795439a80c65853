package io.fundingobservatory.ingest.polling;

import io.fundingobservatory.ingest.polling.CommonFactor.Finding;
import io.fundingobservatory.topics.Quote;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The latest 8-hour rates of the exchanges that this process polls, side by side, so that one that is off by a factor stands out. A
 * process that polls only a few exchanges has nothing to compare with and says nothing.
 */
public final class RateBoard {
    private static final long COUNTS_FOR_MS = Duration.ofMinutes(10).toMillis();

    private record Sheet(Map<String, Double> rates, long atMs) {}

    private final Map<String, Sheet> sheets = new ConcurrentHashMap<>();

    /** Puts a poll up next to the others; what is off by a common factor is taken down instead, so that it misleads no comparison. */
    @Nullable
    Finding compare(String venue, List<Quote> quotes, long nowMs) {
        Map<String, Double> rates = CommonFactor.ratesByAsset(quotes);
        var others = new ArrayList<Map<String, Double>>();
        sheets.forEach((other, sheet) -> {
            if (!other.equals(venue) && Math.abs(nowMs - sheet.atMs()) <= COUNTS_FOR_MS) {
                others.add(sheet.rates());
            }
        });
        Finding finding = CommonFactor.find(rates, others);
        if (finding == null) {
            sheets.put(venue, new Sheet(rates, nowMs));
        } else {
            sheets.remove(venue);
        }
        return finding;
    }
}
