package io.fundingobservatory.standalone.exchanges;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An end or a move that an exchange has announced: one row of {@code ANNOUNCED.md}.
 *
 * @param due the UTC date on which it takes effect; null when the exchange has named none
 * @param venue the venue's identifier
 * @param announced the UTC date of the announcement
 * @param what what changes
 * @param source where it was announced
 * @param action what to do about it
 */
public record AnnouncedChange(
        @Nullable LocalDate due, String venue, LocalDate announced, String what, String source, String action) {
    private static final int DAYS_AHEAD = 30;
    private static final int CELLS = 6;
    private static final String TABLE = "/ANNOUNCED.md";

    /** The rows of the table that belongs to this release. */
    public static List<AnnouncedChange> all() {
        try (InputStream table = Objects.requireNonNull(AnnouncedChange.class.getResourceAsStream(TABLE), TABLE)) {
            return parse(new String(table.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The rows of the only table of a Markdown page; {@link IllegalArgumentException} for one that does not have six cells. */
    static List<AnnouncedChange> parse(String page) {
        return page.lines()
                .filter(line -> line.startsWith("|"))
                .skip(2)
                .map(AnnouncedChange::row)
                .toList();
    }

    private static AnnouncedChange row(String line) {
        String[] cells = line.substring(1).split("\\|");
        if (cells.length != CELLS) {
            throw new IllegalArgumentException(cells.length + " cells instead of " + CELLS + ": " + line);
        }
        String due = cells[0].strip();
        return new AnnouncedChange(
                due.equals("-") ? null : LocalDate.parse(due),
                cells[1].strip(),
                LocalDate.parse(cells[2].strip()),
                cells[3].strip(),
                cells[4].strip(),
                cells[5].strip());
    }

    /** Those that fall due within 30 days of a day or are overdue on it, earliest first. */
    public static List<AnnouncedChange> due(List<AnnouncedChange> changes, LocalDate today) {
        LocalDate last = today.plusDays(DAYS_AHEAD);
        return changes.stream()
                .filter(change -> change.due() != null && !change.due().isAfter(last))
                .sorted(Comparator.comparing(change -> Objects.requireNonNull(change.due())))
                .toList();
    }

    /** One readable line. */
    public String line() {
        return "due %s: %s: %s. %s (%s)".formatted(due == null ? "-" : due, venue, what, action, source);
    }
}
