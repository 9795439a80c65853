package io.fundingobservatory.gateway.core.coding;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code Accept-Encoding} (RFC 9110 §12.5.3). */
public final class AcceptEncoding {
    private static final Pattern WEIGHTED =
            Pattern.compile("([a-z0-9*-]+)\\s*(?:;\\s*q=(0(?:\\.\\d{0,3})?|1(?:\\.0{0,3})?))?");

    private AcceptEncoding() {}

    /**
     * Returns the available coding with the greatest weight; of codings with equal weight, the first. Returns
     * null for no coding. A client that accepts none of the available codings also gets null: unencoded bytes
     * help it more than an error.
     *
     * @param there the codings that were prepared, in order of preference among equally welcome ones
     */
    public static @Nullable Coding choose(List<String> acceptEncoding, Set<Coding> there) {
        Map<String, Integer> weights = weights(acceptEncoding);
        int any = weights.getOrDefault("*", 0);
        Coding best = null;
        int bestWeight = Math.max(0, weights.getOrDefault("identity", 0) - 1);
        for (Coding coding : there) {
            int weight = weights.getOrDefault(coding.word, any);
            if (weight > bestWeight) {
                best = coding;
                bestWeight = weight;
            }
        }
        return best;
    }

    public static boolean welcome(List<String> acceptEncoding, Coding coding) {
        Map<String, Integer> weights = weights(acceptEncoding);
        return weights.getOrDefault(coding.word, weights.getOrDefault("*", 0)) > 0;
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
                    String coding = matcher.group(1).equals("x-gzip") ? Coding.GZIP.word : matcher.group(1);
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
