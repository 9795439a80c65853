package io.fundingobservatory.gateway.core.request;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The form of the rows of one response, and of its list of missing rows.
 *
 * @param fields names of the fields to return; null for all
 * @param order the numeric field to order by, null values last; null to keep the usual order
 * @param descending whether the greatest value comes first
 * @param limit the most rows to return; null for all
 * @param columns whether names are written once and each row is an array of values
 * @param text whether decimals are written as JSON strings with every digit; whole numbers stay numbers
 * @param byReason whether missing rows are counted by reason alone, and not by venue and reason
 */
public record RowForm(
        @Nullable Set<String> fields,
        @Nullable String order,
        boolean descending,
        @Nullable Integer limit,
        boolean columns,
        boolean text,
        boolean byReason) {
    /**
     * Names of the fields that rows of one response can have, in the order of a row.
     *
     * @param names all of them; {@code long.venue} is {@code venue} of the object {@code long}
     * @param numeric those whose values are numbers or null; rows can be ordered by them
     */
    public record Fields(List<String> names, List<String> numeric) {}

    public static final RowForm WHOLE = new RowForm(null, null, false, null, false, false, false);

    /** Every row as an array, decimals as text: what the page requests, prepared by venue. */
    public static final RowForm COLUMNS = new RowForm(null, null, false, null, true, true, false);

    public static final List<String> PARAMETERS = List.of("fields", "order", "limit", "layout", "numbers", "missing");

    static RowForm read(Query.Parameters parameters, Query.Takes takes) {
        List<String> names = takes.fields().names();
        Set<String> fields = parameters.of("fields");
        if (fields != null && !names.containsAll(fields)) {
            parameters.wrong("fields are names of the row" + culprit(fields, names) + ": " + String.join(", ", names));
        }
        List<String> numeric = takes.fields().numeric();
        String order = parameters.single("order");
        if (order != null && !numeric.contains(field(order))) {
            parameters.wrong("order is one numeric field, with - for descending" + culprit(Set.of(order), List.of())
                    + ": " + String.join(", ", numeric));
        }
        String limit = parameters.single("limit");
        if (limit != null && !(limit.matches("[1-9][0-9]{0,4}") && Integer.parseInt(limit) <= takes.limitMost())) {
            parameters.wrong("limit is a whole number from 1 to " + takes.limitMost());
            limit = null;
        }
        return new RowForm(
                fields == null ? null : new TreeSet<>(fields),
                order == null ? null : field(order),
                order != null && order.startsWith("-"),
                limit == null ? takes.limit() : Integer.valueOf(limit),
                parameters.isOther("layout", "rows", "columns"),
                parameters.isOther("numbers", "json", "text"),
                parameters.isOther("missing", "venues", "reasons"));
    }

    /** Names the first that is not known, if it is a plain word. */
    private static String culprit(Set<String> named, List<String> known) {
        return named.stream()
                .filter(name -> !known.contains(name) && name.matches("-?[A-Za-z0-9_.]{1,40}"))
                .findFirst()
                .map(name -> ", which " + name + " is not")
                .orElse("");
    }

    /** The field of an order; a time as text orders like its number. */
    private static String field(String order) {
        String field = order.startsWith("-") ? order.substring(1) : order;
        return field.endsWith("_utc") ? field.replace("_utc", "_ms") : field;
    }

    /** Whether the rows of each venue are prepared in it. */
    public boolean isPrepared() {
        return equals(WHOLE) || equals(COLUMNS);
    }

    /** Whether rows are returned whole, as objects and in their usual order. */
    public boolean plain() {
        return fields == null && order == null && !columns && !text && !byReason;
    }

    /** Whether the response is in another form than the usual one, or has a limit. */
    public boolean formed() {
        return !plain() || limit != null;
    }

    /** The units of what a response in a form states of its rows. */
    public Map<String, String> units() {
        return formed() ? Map.of("rows_matched", "rows before limit") : Map.of();
    }

    /** The fields that the response is about: those returned, and the one it is ordered by. A time as text counts as its number. Null for all. */
    public @Nullable Set<String> concerned() {
        return fields == null
                ? null
                : Stream.concat(fields.stream(), Stream.ofNullable(order))
                        .map(field -> field.endsWith("_utc") ? field.replace("_utc", "_ms") : field)
                        .collect(Collectors.toSet());
    }
}
