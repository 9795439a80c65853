package io.fundingobservatory.gateway.core.request;

import java.util.Collection;
import java.util.LinkedHashMap;
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
}
