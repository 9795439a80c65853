package io.fundingobservatory.standalone.top;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.standalone.terminal.Line;
import io.fundingobservatory.standalone.terminal.Line.Emphasis;
import io.fundingobservatory.standalone.terminal.Table;
import io.fundingobservatory.standalone.terminal.Table.Align;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of {@code /api/v1/venues}. */
final class ExchangeLines {
    private static final int CELL = 38;

    private ExchangeLines() {}

    /** One line for each venue. Within a width, venues without a problem share a line. */
    static List<Line> lines(@Nullable JsonValue body, int width) {
        if (body == null) {
            return List.of();
        }
        List<JsonValue> rows = body.list("rows");
        List<JsonValue> full = width == Screen.UNBOUNDED
                ? rows
                : rows.stream().filter(row -> !isWell(row)).toList();
        var lines = new ArrayList<Line>();
        lines.add(Line.of(""));
        lines.add(new Line("EXCHANGES", Emphasis.HEADING));
        var table = new Table()
                .column("exchange", Align.LEFT)
                .column("state", Align.LEFT)
                .column("contracts", Align.RIGHT)
                .column("age p50 s", Align.POINT)
                .column("age p95 s", Align.POINT)
                .column("history", Align.RIGHT)
                .column("reason", Align.LEFT);
        full.forEach(row -> table.row(
                Cells.of(row, "venue"),
                state(row),
                Cells.of(row, "symbols"),
                Cells.of(row, "age_p50_s"),
                Cells.of(row, "age_p95_s"),
                history(row),
                reason(row)));
        if (!table.isEmpty()) {
            List<String> text = table.lines();
            lines.add(new Line(text.getFirst(), Emphasis.FAINT));
            for (int i = 0; i < full.size(); i++) {
                lines.add(new Line(text.get(i + 1), isWell(full.get(i)) ? Emphasis.PLAIN : Emphasis.CAUTION));
            }
        }
        if (width != Screen.UNBOUNDED) {
            lines.addAll(sideBySide(rows.stream().filter(ExchangeLines::isWell).toList(), width));
        }
        return lines;
    }

    private static boolean isWell(JsonValue row) {
        return state(row).equals("observed");
    }

    /** {@code observed}; {@code problem}: rows are there, and something keeps them from being whole or new; {@code absent}. */
    private static String state(JsonValue row) {
        if (!row.flag("in_current_observation")) {
            return "absent";
        }
        return row.textOrNull("reason") == null ? "observed" : "problem";
    }

    private static String reason(JsonValue row) {
        String reason = row.textOrNull("reason");
        return reason == null ? "" : reason;
    }

    /** Contracts whose settled history has been read, of those that have one. */
    private static String history(JsonValue row) {
        return row.textOrNull("settled_history_contracts") == null
                ? Cells.of(row, "settled_history_contracts")
                : Cells.of(row, "settled_history_contracts_read") + "/" + Cells.of(row, "settled_history_contracts");
    }

    private static List<Line> sideBySide(List<JsonValue> rows, int width) {
        if (rows.isEmpty()) {
            return List.of();
        }
        int columns = Math.max(1, width / CELL);
        int height = Math.ceilDiv(rows.size(), columns);
        var lines = new ArrayList<Line>();
        lines.add(new Line(
                "observed without a problem: contracts, median age in s, contracts whose history is read",
                Emphasis.FAINT));
        for (int i = 0; i < height; i++) {
            var line = new StringBuilder();
            for (int at = i; at < rows.size(); at += height) {
                JsonValue row = rows.get(at);
                String cell = "%-12s %6s %7s %s"
                        .formatted(
                                Cells.of(row, "venue"),
                                Cells.of(row, "symbols"),
                                Cells.of(row, "age_p50_s"),
                                history(row));
                line.append("%-38s".formatted(cell));
            }
            lines.add(Line.of(line.toString().stripTrailing()));
        }
        return lines;
    }
}
