package io.fundingobservatory.gateway.core.coding;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code Accept-Encoding} (RFC 9110 §12.5.3). */
public final class AcceptEncoding {
    private static final Pattern WEIGHTED =
            Pattern.compile("([a-z0-9*-]+)\\s*(?:;\\s*q=(0(?:\\.\\d{0,3})?|1(?:\\.0{0,3})?))?");

    private AcceptEncoding() {}

    /**
     * Whether gzip is at least as welcome as no coding. A client that accepts neither gets the plain bytes: they help it more than an
     * error.
     */
    public static boolean prefersGzip(List<String> acceptEncoding) {
        Map<String, Integer> weights = weights(acceptEncoding);
        int gzip = weights.getOrDefault(Content.GZIP, weights.getOrDefault("*", 0));
        return gzip > 0 && gzip >= weights.getOrDefault("identity", 0);
    }

    /** The last fields that were read: nearly every client sends the same. */
    private record Liked(List<String> fields, Map<String, Integer> weights) {}

    private static volatile Liked last = new Liked(List.of(), Map.of());

    private static Map<String, Integer> weights(List<String> acceptEncoding) {
        Liked known = last;
        if (!known.fields().equals(acceptEncoding)) {
            known = new Liked(List.copyOf(acceptEncoding), Map.copyOf(read(acceptEncoding)));
            last = known;
        }
        return known.weights();
    }

    /** Weights in thousandths; what has no readable weight is left out. */
    private static Map<String, Integer> read(List<String> acceptEncoding) {
        var weights = new HashMap<String, Integer>();
        for (String field : acceptEncoding) {
            for (String item : field.toLowerCase(Locale.ROOT).split(",", -1)) {
                Matcher matcher = WEIGHTED.matcher(item.strip());
                if (matcher.matches()) {
                    String coding = matcher.group(1).equals("x-gzip") ? Content.GZIP : matcher.group(1);
                    String weight = matcher.group(2);
                    weights.put(
                            coding,
                            weight == null
                                    ? 1_000
                                    : new BigDecimal(weight).movePointRight(3).intValue());
                }
            }
        }
        return weights;
    }
}
