package io.fundingobservatory.standalone.top;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.standalone.terminal.Line;
import io.fundingobservatory.standalone.terminal.Line.Emphasis;
import io.fundingobservatory.standalone.terminal.Table;
import io.fundingobservatory.standalone.terminal.Table.Align;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ranking of {@code /api/v1/carry}. */
final class PairLines {
    private PairLines() {}

    static List<Line> lines(@Nullable JsonValue body) {
        if (body == null) {
            return List.of();
        }
        var lines = new ArrayList<Line>();
        lines.add(Line.of(""));
        lines.add(new Line(
                "PAIRS, 30 days to " + Cells.instant(body, "window_end_ms")
                        + ": the short leg's funding less the long leg's,"
                        + " fraction of notional; longs pay shorts when positive",
                Emphasis.HEADING));
        lines.add(new Line(
                Cells.of(body, "complete_count") + " complete, " + Cells.of(body, "incomplete_count") + " incomplete, "
                        + Cells.of(body, "refused_count") + " refused",
                Emphasis.FAINT));
        var table = new Table()
                .column("#", Align.RIGHT)
                .column("asset", Align.LEFT)
                .column("short", Align.LEFT)
                .column("long", Align.LEFT)
                .column("difference 30 d", Align.POINT)
                .column("positive days", Align.RIGHT)
                .column("now per 8 h", Align.POINT)
                .column("price ratio", Align.POINT);
        for (JsonValue row : body.list("rows")) {
            table.row(
                    Cells.of(row, "rank"),
                    Cells.of(row, "asset"),
                    leg(row.at("short")),
                    leg(row.at("long")),
                    Cells.of(row, "funding_difference_30d"),
                    Cells.of(row, "positive_days"),
                    Cells.of(row, "current_difference_8h"),
                    Cells.of(row, "price_ratio"));
        }
        if (!table.isEmpty()) {
            List<String> text = table.lines();
            lines.add(new Line(text.getFirst(), Emphasis.FAINT));
            text.stream().skip(1).map(Line::of).forEach(lines::add);
        }
        return lines;
    }

    private static String leg(JsonValue leg) {
        return Cells.of(leg, "venue") + " " + Cells.of(leg, "symbol");
    }
}
