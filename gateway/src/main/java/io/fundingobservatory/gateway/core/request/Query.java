package io.fundingobservatory.gateway.core.request;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The query of a request, read once.
 *
 * @param names what each parameter lists, in the order given
 * @param selection which rows are selected by their values
 * @param form the form of the rows
 * @param minPositiveDays the least number of days on which the difference of a pair was positive; null selects all pairs
 * @param since the tag of a list that the client has; null where it requests a whole list
 * @param problem why the query cannot be read, with nothing of what was sent but plain words; null where it can, else nothing else counts
 */
public record Query(
        Map<String, Set<String>> names,
        Selection selection,
        RowForm form,
        @Nullable Integer minPositiveDays,
        @Nullable String since,
        @Nullable String problem) {
    public static final String MIN_POSITIVE_DAYS = "min_positive_days";

    /** A tag as a response carries it, with or without its quotes and coding. */
    private static final Pattern TAG = Pattern.compile("(?:W/)?\"?([0-9a-f]{32})(?:-[a-z]+)?\"?");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9 ._:/-]{1,64}");
    private static final int NAMES_REPEATED = 50;
    private static final String NOT_SHOWN = "(not shown: not shaped like a name)";

    /**
     * What an endpoint takes.
     *
     * @param parameters their names
     * @param fields of its rows
     * @param limit the most rows where no limit is given; null for all
     * @param limitMost the greatest limit that can be given
     */
    public record Takes(
            List<String> parameters,
            RowForm.Fields fields,
            @Nullable Integer limit,
            int limitMost) {
        public static final Takes NOTHING = new Takes(List.of(), new RowForm.Fields(List.of(), List.of()), null, 0);
    }

    /**
     * Reads a query strictly: only known parameters, each at most once, each naming something. Parameters that links carry along
     * ({@code utm_*}, {@code fbclid}, {@code gclid}) are ignored.
     *
     * @param raw as it was sent, still percent-encoded; null when there is none
     */
    public static Query read(@Nullable String raw, Takes takes) {
        var parameters = new Parameters(raw, takes.parameters());
        Selection selection = Selection.read(parameters);
        String days = parameters.one(MIN_POSITIVE_DAYS, "[1-9]|[12][0-9]|30", "one whole number from 1 to 30");
        RowForm form = RowForm.read(parameters, takes);
        String since = parameters.one("since", TAG.pattern(), "one tag: meta.tag of a list, or its ETag");
        return new Query(
                parameters.names(),
                selection,
                form,
                days == null ? null : Integer.valueOf(days),
                since == null ? null : tag(since),
                parameters.problem());
    }

    private static String tag(String since) {
        Matcher tag = TAG.matcher(since);
        return tag.matches() ? tag.group(1) : since;
    }

    /** How many names a parameter lists; 0 where it was not given. */
    public int count(String parameter) {
        return names.getOrDefault(parameter, Set.of()).size();
    }

    /** How many assets and symbols it names. */
    public int contracts() {
        return count("assets") + count("symbols");
    }

    /** What is requested, whatever the client has of it; equal for equal requests. */
    public Map<String, Set<String>> withoutSince() {
        if (since == null) {
            return names;
        }
        var others = new LinkedHashMap<>(names);
        others.remove("since");
        return others;
    }

    /** Whether pairs of so many positive days are returned; null is a number that is not known. */
    public boolean selects(@Nullable Long positiveDays) {
        return minPositiveDays == null || (positiveDays != null && positiveDays >= minPositiveDays);
    }

    /** Names as they may be repeated in a response: only what looks like a name, and not too many. */
    static List<String> repeatable(Collection<String> names) {
        return names.stream()
                .map(name -> NAME.matcher(name).matches() ? name : NOT_SHOWN)
                .distinct()
                .limit(NAMES_REPEATED)
                .toList();
    }

    /** The assets or symbols that it names, as far as they may be repeated, in upper case. */
    public List<String> repeatableContracts(String parameter) {
        return repeatable(names.getOrDefault(parameter, Set.of())).stream()
                .filter(name -> !name.equals(NOT_SHOWN))
                .map(Scope::upper)
                .toList();
    }

    /** Reads the parameters of one query, and keeps the first problem that it finds. */
    static final class Parameters {
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
                    String value =
                            equals < 0 ? "" : URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8);
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
            return values == null
                    ? null
                    : values.size() == 1 ? values.iterator().next() : "";
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
}
