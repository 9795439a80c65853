package io.fundingobservatory.gateway.core.request;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a query string strictly: only known parameters, each at most once, each naming something. Parameters that links carry along
 * ({@code utm_*}, {@code fbclid}, {@code gclid}) are ignored.
 */
public final class Parameters {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9 ._:/-]{1,64}");
    private static final Pattern CARRIED_ALONG = Pattern.compile("utm_[A-Za-z0-9_]{1,32}|fbclid|gclid");
    private static final Pattern WORD = Pattern.compile("[A-Za-z_]{1,32}");

    /** What other interfaces call the same thing. */
    private static final Map<String, Set<String>> CALLED = Map.of(
            "assets", Set.of("asset", "coin", "coins", "token", "base", "currency"),
            "symbols", Set.of("symbol", "instrument", "contract", "ticker", "pair", "market"),
            "venues", Set.of("venue", "exchange", "exchanges"),
            "asset_class", Set.of("class", "category"),
            "limit", Set.of("count", "max", "top"));

    private static final int NAMES_REPEATED = 50;
    private static final String NOT_SHOWN = "(not shown: not shaped like a name)";

    public static final Names NONE = new Names(Map.of());

    private Parameters() {}

    /** The parameters as read, or why they cannot be. */
    public sealed interface Read {}

    /** Each parameter with the names it lists, in the order given. */
    public record Names(Map<String, Set<String>> byParameter) implements Read {
        /** The names that one parameter lists; null where it was not given. */
        @Nullable
        public Set<String> of(String parameter) {
            return byParameter.get(parameter);
        }

        /** The same without one parameter. */
        public Names without(String parameter) {
            var others = new LinkedHashMap<>(byParameter);
            return others.remove(parameter) == null ? this : new Names(others);
        }

        /** The value of a parameter that takes one: null where it was not given, an empty text where several were. */
        @Nullable
        String single(String parameter) {
            Set<String> values = byParameter.get(parameter);
            return values == null
                    ? null
                    : values.size() == 1 ? values.iterator().next() : "";
        }

        /** How many names a parameter lists; 0 where it was not given. */
        public int count(String parameter) {
            Set<String> named = byParameter.get(parameter);
            return named == null ? 0 : named.size();
        }
    }

    /** Not readable; the reason holds nothing of what was sent. */
    public record Unreadable(String reason) implements Read {}

    /** Reads a query as it was sent, still percent-encoded: each parameter at most once, its names separated by commas. */
    public static Read read(@Nullable String rawQuery, List<String> known) {
        var names = new LinkedHashMap<String, Set<String>>();
        if (rawQuery == null || rawQuery.isEmpty()) {
            return new Names(names);
        }
        for (String pair : rawQuery.split("&", -1)) {
            int equals = pair.indexOf('=');
            String parameter = equals < 0 ? pair : pair.substring(0, equals);
            if (CARRIED_ALONG.matcher(parameter).matches()) {
                continue;
            }
            if (!known.contains(parameter)) {
                return new Unreadable(unknown(parameter, known));
            }
            var listed = new LinkedHashSet<String>();
            try {
                String value = equals < 0 ? "" : URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8);
                for (String name : value.split(",", -1)) {
                    if (!name.isBlank()) {
                        listed.add(name.strip());
                    }
                }
            } catch (IllegalArgumentException e) {
                return new Unreadable(
                        "the parameter " + parameter
                                + " has a percent sign that two hexadecimal digits do not follow; write %25 for a percent sign");
            }
            if (listed.isEmpty()) {
                return new Unreadable("the parameter " + parameter + " names nothing; leave it out or name something");
            }
            if (names.put(parameter, listed) != null) {
                return new Unreadable(
                        "the parameter " + parameter + " is given more than once; separate names by commas");
            }
        }
        return new Names(names);
    }

    /** Says which parameter is not known, if it is a plain word, and which one may have been meant. */
    private static String unknown(String parameter, List<String> known) {
        if (known.isEmpty()) {
            return "this address takes no parameters";
        }
        String named = WORD.matcher(parameter).matches() ? "the parameter " + parameter : "a parameter";
        String lower = parameter.toLowerCase(Locale.ROOT);
        String meant = known.stream()
                .filter(name -> name.equals(lower)
                        || CALLED.getOrDefault(name, Set.of()).contains(lower))
                .findFirst()
                .map(name -> "; did you mean " + name + "?")
                .orElse("");
        return named + " is not known here; the known ones are " + String.join(", ", known) + meant;
    }

    /** Names as they may be repeated in a response: only what looks like a name, and not too many. */
    public static List<String> repeatable(Collection<String> names) {
        return names.stream()
                .map(name -> NAME.matcher(name).matches() ? name : NOT_SHOWN)
                .distinct()
                .limit(NAMES_REPEATED)
                .toList();
    }
}
