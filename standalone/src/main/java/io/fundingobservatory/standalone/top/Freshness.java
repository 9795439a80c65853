package io.fundingobservatory.standalone.top;

import java.net.http.HttpHeaders;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How long a response may be taken for the newest one: {@code max-age} less the time that it lay in caches on its way. */
final class Freshness {
    private static final Pattern MAX_AGE = Pattern.compile("(?:^|[,\\s])max-age=(\\d{1,9})");

    private Freshness() {}

    /** Zero without a header. */
    static long nanos(HttpHeaders headers) {
        Matcher maxAge = MAX_AGE.matcher(headers.firstValue("Cache-Control").orElse(""));
        if (!maxAge.find()) {
            return 0;
        }
        String age = headers.firstValue("Age").orElse("0");
        long seconds = Long.parseLong(maxAge.group(1)) - (age.matches("\\d{1,9}") ? Long.parseLong(age) : 0);
        return TimeUnit.SECONDS.toNanos(Math.max(0, seconds));
    }
}
