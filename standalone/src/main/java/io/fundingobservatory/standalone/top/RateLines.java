package io.fundingobservatory.standalone.top;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.standalone.terminal.Line;
import io.fundingobservatory.standalone.terminal.Line.Emphasis;
import io.fundingobservatory.standalone.terminal.Table;
import io.fundingobservatory.standalone.terminal.Table.Align;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of {@code /api/v1/latest} for the named assets: by asset, the highest 8-hour rate first, unknown ones last. */
final class RateLines {
    private static final Comparator<JsonValue> ORDER = Comparator.<JsonValue, String>comparing(
                    row -> Cells.of(row, "asset"))
            .thenComparing(
                    row -> row.decimalOrNull("funding_rate_8h"),
                    Comparator.nullsLast(Comparator.<BigDecimal>reverseOrder()))
            .thenComparing(row -> Cells.of(row, "venue"));

    private RateLines() {}

    static List<Line> lines(@Nullable JsonValue body) {
        if (body == null) {
            return List.of();
        }
        var lines = new ArrayList<Line>();
        lines.add(Line.of(""));
        lines.add(
                new Line("RATES, fraction of notional per 8 hours; longs pay shorts when positive", Emphasis.HEADING));
        body.at("meta")
                .list("unreadable_assets")
                .forEach(
                        name -> lines.add(new Line("! no exchange in scope lists " + name.asText(), Emphasis.PROBLEM)));
        var table = new Table()
                .column("asset", Align.LEFT)
                .column("exchange", Align.LEFT)
                .column("symbol", Align.LEFT)
                .column("type", Align.LEFT)
                .column("rate 8 h", Align.POINT)
                .column("kind", Align.LEFT)
                .column("every h", Align.RIGHT)
                .column("next", Align.LEFT)
                .column("mark", Align.POINT)
                .column("index", Align.POINT)
                .column("quote", Align.LEFT)
                .column("coins", Align.RIGHT)
                .column("", Align.LEFT);
        List<JsonValue> rows = body.list("rows").stream().sorted(ORDER).toList();
        rows.forEach(row -> table.row(
                Cells.of(row, "asset"),
                Cells.of(row, "venue"),
                Cells.of(row, "symbol"),
                Cells.of(row, "contract_type"),
                Cells.of(row, "funding_rate_8h"),
                Cells.of(row, "rate_kind"),
                Cells.of(row, "funding_interval_h"),
                Cells.instant(row, "next_funding_ms"),
                Cells.of(row, "mark_price"),
                Cells.of(row, "index_price"),
                Cells.of(row, "quote"),
                Cells.of(row, "price_scale"),
                row.flag("stale") ? "stale" : ""));
        if (!table.isEmpty()) {
            List<String> text = table.lines();
            lines.add(new Line(text.getFirst(), Emphasis.FAINT));
            for (int i = 0; i < rows.size(); i++) {
                lines.add(new Line(text.get(i + 1), rows.get(i).flag("stale") ? Emphasis.CAUTION : Emphasis.PLAIN));
            }
        }
        return lines;
    }
}
