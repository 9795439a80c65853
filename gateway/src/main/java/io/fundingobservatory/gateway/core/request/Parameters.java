package io.fundingobservatory.gateway.core.request;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the parameters of one query, and keeps the first problem that it finds. */
final class Parameters {
    private static final Pattern CARRIED_ALONG = Pattern.compile("utm_[A-Za-z0-9_]{1,32}|fbclid|gclid");
    private static final Pattern WORD = Pattern.compile("[A-Za-z_]{1,32}");

    private final Map<String, Set<String>> names = new LinkedHashMap<>();
    private @Nullable String problem;

    Parameters(@Nullable String raw, List<String> known) {
        for (String pair : raw == null || raw.isEmpty() ? new String[0] : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            String parameter = equals < 0 ? pair : pair.substring(0, equals);
            if (CARRIED_ALONG.matcher(parameter).matches()) {
                continue;
            }
            if (!known.contains(parameter)) {
                wrong(unknown(parameter, known));
                return;
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
                wrong(
                        "the parameter " + parameter
                                + " has a percent sign that two hexadecimal digits do not follow; write %25 for a percent sign");
                return;
            }
            if (listed.isEmpty()) {
                wrong("the parameter " + parameter + " names nothing; leave it out or name something");
            }
            if (names.put(parameter, listed) != null) {
                wrong("the parameter " + parameter + " is given more than once; separate names by commas");
            }
        }
    }

    /** Says which parameter is not known, if it is a plain word, and which one may have been meant. */
    private static String unknown(String parameter, List<String> known) {
        if (known.isEmpty()) {
            return "this address takes no parameters";
        }
        String named = WORD.matcher(parameter).matches() ? "the parameter " + parameter : "a parameter";
        String meant = NearMiss.parameter(parameter, known);
        return named + " is not known here; the known ones are " + String.join(", ", known)
                + (meant == null ? "" : "; did you mean " + meant + "?");
    }

    void wrong(String why) {
        problem = problem == null ? why : problem;
    }

    @Nullable
    String problem() {
        return problem;
    }

    Map<String, Set<String>> names() {
        return names;
    }

    /** What a parameter lists; null where it was not given. */
    @Nullable
    Set<String> of(String parameter) {
        return names.get(parameter);
    }

    /** The value of a parameter that takes one; null where it was not given, and an empty text where several were. */
    @Nullable
    String single(String parameter) {
        Set<String> values = names.get(parameter);
        return values == null ? null : values.size() == 1 ? values.iterator().next() : "";
    }

    /**
     * The same of a parameter whose values match a pattern; null where it does not.
     *
     * @param what completes a sentence after the name of the parameter and "is"
     */
    @Nullable
    String one(String parameter, String pattern, String what) {
        String value = single(parameter);
        if (value == null || value.matches(pattern)) {
            return value;
        }
        wrong(parameter + " is " + what);
        return null;
    }

    /** Whether a parameter that has two values has the other one. */
    boolean isOther(String parameter, String usual, String other) {
        return other.equals(one(parameter, usual + '|' + other, usual + " or " + other));
    }
}
