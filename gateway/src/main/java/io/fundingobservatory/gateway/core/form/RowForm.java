package io.fundingobservatory.gateway.core.form;

import io.fundingobservatory.gateway.core.request.Parameters;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The form of the rows of one response.
 *
 * @param fields names of the fields to return, in the order of a row; null for all
 * @param order the numeric field to order by, null values last; null to keep the order of venue and symbol
 * @param descending whether the greatest value comes first
 * @param limit the most rows to return; null for all
 * @param columns whether names are written once and each row is an array of values
 * @param text whether decimals are written as JSON strings with every digit; epoch milliseconds stay numbers
 */
public record RowForm(
        @Nullable List<String> fields,
        @Nullable String order,
        boolean descending,
        @Nullable Integer limit,
        boolean columns,
        boolean text)
        implements FormReading {
    /** Parameters that describe a form. */
    public static final List<String> PARAMETERS = List.of("fields", "order", "limit", "layout", "numbers");

    /** Rows as they are encoded, all of them. */
    public static final RowForm PLAIN = new RowForm(null, null, false, null, false, false);

    private static final int LIMIT_MOST = 10_000;

    /** Reads the form from the parameters of a request; a value that does not exist gives a reason that lists those that do. */
    public static FormReading read(Parameters.Names names, RowFields known) {
        Set<String> fields = names.of("fields");
        if (fields != null && !known.names().containsAll(fields)) {
            return new UnreadableForm("fields are names of the row: " + String.join(", ", known.names()));
        }
        String order = single(names, "order");
        boolean descending = order != null && order.startsWith("-");
        String by = order != null && descending ? order.substring(1) : order;
        if (by != null && !known.numeric().contains(by)) {
            return new UnreadableForm("order is one numeric field, with - for descending: "
                    + String.join(
                            ", ",
                            known.names().stream()
                                    .filter(known.numeric()::contains)
                                    .toList()));
        }
        String limit = single(names, "limit");
        if (limit != null && !(limit.matches("[1-9][0-9]{0,4}") && Integer.parseInt(limit) <= LIMIT_MOST)) {
            return new UnreadableForm("limit is a whole number from 1 to " + LIMIT_MOST);
        }
        String layout = single(names, "layout");
        if (layout != null && !layout.equals("rows") && !layout.equals("columns")) {
            return new UnreadableForm("layout is rows or columns");
        }
        String numbers = single(names, "numbers");
        if (numbers != null && !numbers.equals("json") && !numbers.equals("text")) {
            return new UnreadableForm("numbers is json or text");
        }
        return new RowForm(
                fields == null ? null : selected(fields, known),
                by,
                descending,
                limit == null ? null : Integer.valueOf(limit),
                "columns".equals(layout),
                "text".equals(numbers));
    }

    /** The value of a parameter that takes one; an empty text, which no parameter takes, where several were given. */
    private static @Nullable String single(Parameters.Names names, String parameter) {
        Set<String> values = names.of(parameter);
        if (values == null) {
            return null;
        }
        return values.size() == 1 ? values.iterator().next() : "";
    }

    private static List<String> selected(Set<String> fields, RowFields known) {
        return Stream.concat(
                        known.keys().stream(),
                        known.names().stream()
                                .filter(fields::contains)
                                .filter(name -> !known.keys().contains(name)))
                .toList();
    }

    /** Whether rows are returned unchanged and in full. */
    public boolean plain() {
        return equals(PLAIN);
    }

    /** Equal for requests with the same form. */
    public String canonical() {
        return "fields=" + fields + "&order=" + (descending ? "-" : "") + order + "&limit=" + limit + "&columns="
                + columns + "&text=" + text;
    }
}
