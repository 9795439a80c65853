package io.fundingobservatory.standalone.terminal;

import picocli.CommandLine.Help.Ansi;

/**
 * One line on a terminal.
 *
 * @param text its text, without control characters
 */
public record Line(String text, Emphasis emphasis) {
    private static final String RESET = "\u001b[0m";

    /** What sets a line apart where colours are wanted. */
    public enum Emphasis {
        PLAIN(""),
        HEADING("\u001b[1m"),
        FAINT("\u001b[2m"),
        PROBLEM("\u001b[1;31m"),
        CAUTION("\u001b[1;33m");

        private final String escape;

        Emphasis(String escape) {
            this.escape = escape;
        }
    }

    public Line {
        text = printable(text);
    }

    /** A line like any other. */
    public static Line of(String text) {
        return new Line(text, Emphasis.PLAIN);
    }

    /** Cut to a width, with an ellipsis where something is missing. */
    public String cut(int width) {
        return text.length() <= width ? text : text.substring(0, Math.max(0, width - 1)) + "…";
    }

    /** The line cut to a width, in its colour where colours are wanted. */
    public String render(int width, Ansi ansi) {
        boolean styled = ansi.enabled() && emphasis != Emphasis.PLAIN;
        return styled ? emphasis.escape + cut(width) + RESET : cut(width);
    }

    /** Replaces control characters, so that a response cannot control the terminal. */
    private static String printable(String text) {
        return text.codePoints()
                .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
