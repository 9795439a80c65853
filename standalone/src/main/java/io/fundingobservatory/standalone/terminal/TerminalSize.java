package io.fundingobservatory.standalone.terminal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How much fits into a terminal. */
public record TerminalSize(int columns, int lines) {
    private static final TerminalSize USUAL = new TerminalSize(80, 24);
    private static final Pattern STTY = Pattern.compile("([1-9]\\d{0,4}) ([1-9]\\d{0,4})");

    /** The size of the terminal that is standard input, as {@code stty size} prints it; 80 × 24 where there is no such command. */
    public static TerminalSize now() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return parse(new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
        } catch (IOException e) {
            return USUAL;
        }
    }

    /** Lines, then columns. */
    static TerminalSize parse(String output) {
        Matcher size = STTY.matcher(output.strip());
        return size.matches()
                ? new TerminalSize(Integer.parseInt(size.group(2)), Integer.parseInt(size.group(1)))
                : USUAL;
    }
}
