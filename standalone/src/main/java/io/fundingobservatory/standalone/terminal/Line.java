package io.fundingobservatory.standalone.terminal;

/**
 * One line on a terminal.
 *
 * @param text its text, without control characters
 */
public record Line(String text) {
    public Line {
        text = printable(text);
    }

    /** Cut to a width, with an ellipsis where something is missing. */
    public String cut(int width) {
        return text.length() <= width ? text : text.substring(0, Math.max(0, width - 1)) + "…";
    }

    /** Replaces control characters, so that a response cannot control the terminal. */
    private static String printable(String text) {
        return text.codePoints()
                .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
