package io.fundingobservatory.standalone.terminal;

import java.util.ArrayList;
import java.util.List;

/** Columns of text: each as wide as its widest cell; values are aligned at their decimal points. */
public final class Table {
    private static final String GAP = "  ";

    /** Alignment of a cell in its column. */
    public enum Align {
        LEFT,
        RIGHT,
        POINT
    }

    private final List<Align> columns = new ArrayList<>();
    private final List<String> headings = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();

    /** Adds a column on the right. */
    public Table column(String heading, Align align) {
        columns.add(align);
        headings.add(heading);
        return this;
    }

    /** Adds a row below; a cell for each column. */
    public void row(String... cells) {
        rows.add(List.of(cells));
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** The headings, then a line for each row. */
    public List<String> lines() {
        var lines = new ArrayList<StringBuilder>();
        for (int i = 0; i <= rows.size(); i++) {
            lines.add(new StringBuilder());
        }
        for (int column = 0; column < columns.size(); column++) {
            List<String> cells = aligned(column);
            for (int i = 0; i < lines.size(); i++) {
                lines.get(i).append(column == 0 ? "" : GAP).append(cells.get(i));
            }
        }
        return lines.stream().map(line -> line.toString().stripTrailing()).toList();
    }

    private List<String> aligned(int column) {
        Align align = columns.get(column);
        var cells = new ArrayList<String>();
        int after = align == Align.POINT
                ? rows.stream()
                        .mapToInt(row -> afterPoint(row.get(column)))
                        .max()
                        .orElse(0)
                : 0;
        cells.add(headings.get(column));
        for (List<String> row : rows) {
            String cell = row.get(column);
            cells.add(align == Align.POINT ? cell + " ".repeat(after - afterPoint(cell)) : cell);
        }
        int width = cells.stream().mapToInt(String::length).max().orElse(0);
        return cells.stream()
                .map(cell -> {
                    String padding = " ".repeat(width - cell.length());
                    return align == Align.LEFT ? cell + padding : padding + cell;
                })
                .toList();
    }

    /** The characters from the decimal point on. */
    private static int afterPoint(String cell) {
        int point = cell.indexOf('.');
        return point < 0 ? 0 : cell.length() - point;
    }
}
