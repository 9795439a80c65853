package io.fundingobservatory.standalone.top;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.standalone.terminal.Line;
import io.fundingobservatory.standalone.terminal.Line.Emphasis;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A look at a service as lines of text: which endpoints respond, rates of the named assets, the ranking, the exchanges. Values are shown with the
 * digits in which they were sent.
 */
public final class Screen {
    /** Room for every line. */
    static final int UNBOUNDED = Integer.MAX_VALUE;

    private static final int LEAST_OF_A_SECTION = 4;

    private Screen() {}

    /**
     * The lines of one look.
     *
     * @param width columns to lay exchanges out in; {@link #UNBOUNDED} for one line an exchange
     * @param height lines at most
     */
    static List<Line> lines(ServiceView view, int width, int height) {
        List<Line> head = section(() -> head(view));
        List<Line> exchanges = section(() -> ExchangeLines.lines(view.venues().body(), width));
        List<Line> pairs = section(() -> PairLines.lines(view.pairs().body()));
        ServiceResponse named = view.rates();
        List<Line> rates = named == null ? List.of() : section(() -> RateLines.lines(named.body()));
        int left = height - head.size();
        int forExchanges = Math.min(exchanges.size(), Math.max(LEAST_OF_A_SECTION, left / 2));
        int forRates = Math.min(rates.size(), Math.max(LEAST_OF_A_SECTION, (left - forExchanges) * 2 / 3));
        int forPairs = left - forExchanges - forRates;
        forRates = Math.min(rates.size(), Math.max(forRates, left - forExchanges - pairs.size()));
        return Stream.of(head, cut(rates, forRates), cut(pairs, forPairs), cut(exchanges, forExchanges))
                .flatMap(List::stream)
                .limit(height)
                .toList();
    }

    /** Returns its lines; one line for a response that differs from the interface or contradicts itself. */
    private static List<Line> section(Supplier<List<Line>> lines) {
        try {
            return lines.get();
        } catch (Skip unreadable) {
            return List.of(new Line("! a response that cannot be read: " + unreadable.reason(), Emphasis.PROBLEM));
        }
    }

    private static List<Line> cut(List<Line> lines, int height) {
        if (lines.size() <= height) {
            return lines;
        }
        if (height <= 0) {
            return List.of();
        }
        var shown = new ArrayList<>(lines.subList(0, height - 1));
        shown.add(new Line("  … " + (lines.size() - height + 1) + " more lines", Emphasis.FAINT));
        return shown;
    }

    private static List<Line> head(ServiceView view) {
        var lines = new ArrayList<Line>();
        JsonValue meta = Stream.of(view.venues(), view.pairs(), Objects.requireNonNullElse(view.rates(), view.venues()))
                .map(ServiceResponse::body)
                .filter(Objects::nonNull)
                .map(body -> body.at("meta"))
                .findFirst()
                .orElse(null);
        lines.add(new Line(title(view.base(), meta), Emphasis.HEADING));
        if (meta != null) {
            String source = Cells.of(meta, "source");
            if (!source.equals("live")) {
                lines.add(new Line(source.toUpperCase(Locale.ROOT) + ": no rate is real", Emphasis.CAUTION));
            }
            lines.add(Line.of("list of " + Cells.of(meta, "generated_at_utc") + "; " + Cells.of(meta, "coverage")
                    + " of " + Cells.of(meta, "venues_listed") + " exchanges observed"));
        }
        view.problems()
                .forEach((address, problem) -> lines.add(new Line("! " + address + ": " + problem, Emphasis.PROBLEM)));
        return lines;
    }

    private static String title(URI base, @Nullable JsonValue meta) {
        return "Funding Observatory" + (meta == null ? "" : " " + Cells.of(meta, "release")) + " at " + base;
    }
}
