package io.fundingobservatory.standalone.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.standalone.terminal.Line;
import io.fundingobservatory.standalone.terminal.TerminalSize;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

/** Layout of the terminal view, and the control sequences that a terminal receives. */
class ScreenTest {
    private static final URI BASE = URI.create("http://localhost:8080");

    private static ServiceResponse response(String body) throws IOException {
        return new ServiceResponse(JsonValue.parse(body.getBytes(StandardCharsets.UTF_8)), null, 0);
    }

    private static ServiceView whole() throws IOException {
        return new ServiceView(
                BASE,
                response(AuthoredService.VENUES),
                response(AuthoredService.PAIRS),
                response(AuthoredService.RATES));
    }

    private static String text(List<Line> lines) {
        return String.join("\n", lines.stream().map(Line::text).toList());
    }

    @Test
    void showsEveryDigitWithPointsAligned() throws IOException {
        List<String> lines = Screen.lines(whole(), Screen.UNBOUNDED, Screen.UNBOUNDED).stream()
                .map(Line::text)
                .toList();
        List<String> rates =
                lines.stream().filter(line -> line.startsWith("BTC ")).toList();
        assertEquals(3, rates.size(), String.join("\n", lines));
        assertTrue(
                rates.get(0).contains(" 0.000100000000000001 ") && rates.get(0).endsWith("stale"), rates.get(0));
        assertTrue(rates.get(1).contains("-0.0000125 "), rates.get(1));
        assertTrue(rates.get(2).startsWith("BTC    aevo"), "what is not known comes last: " + rates.get(2));
        assertEquals(rates.get(0).indexOf('.'), rates.get(1).indexOf('.'));
        assertTrue(lines.stream().anyMatch(line -> line.contains("0.012345678901234567")), String.join("\n", lines));
        assertTrue(lines.contains("SIMULATED: no rate is real"));
        assertTrue(lines.stream().anyMatch(line -> line.matches("kraken +absent +0 +- +- +- +refused with 403")));
        assertTrue(lines.stream().anyMatch(line -> line.matches("gate +observed +312 +14\\.203 +31\\.9 +300/312")));
    }

    @Test
    void terminalShowsWhatFitsAndCountsRest() throws IOException {
        for (int height = 12; height < 40; height++) {
            List<Line> lines = Screen.lines(whole(), 80, height);
            assertTrue(lines.size() <= height, lines.size() + " lines of " + height);
        }
        String small = text(Screen.lines(whole(), 80, 12));
        assertTrue(small.contains(" more lines"), small);
        String large = text(Screen.lines(whole(), 80, 40));
        assertFalse(large.contains(" more lines"), large);
    }

    @Test
    void responsesCannotControlTheTerminal() throws IOException {
        String hostile = AuthoredService.VENUES.replace("refused with 403", "\\u001b]0;owned\\u0007\\u009b2J\\u202e");
        String shown = text(Screen.lines(
                new ServiceView(BASE, response(hostile), new ServiceResponse(null, null, 0), null),
                Screen.UNBOUNDED,
                Screen.UNBOUNDED));
        assertTrue(shown.contains("?]0;owned??2J?"), shown);
        assertTrue(shown.chars().noneMatch(c -> c != '\n' && Character.isISOControl(c)), shown);
    }

    @Test
    void foreignResponseIsOneLine() throws IOException {
        for (String odd : List.of(
                AuthoredService.RATES.replace("-0.0000125", "{}"),
                AuthoredService.RATES.replace("1795190400000", "\"soon\""),
                AuthoredService.RATES.replace("\"aevo\",", "\"aevo\",\"venue\":\"okx\","))) {
            String shown = text(Screen.lines(
                    new ServiceView(
                            BASE, response(AuthoredService.VENUES), response(AuthoredService.PAIRS), response(odd)),
                    Screen.UNBOUNDED,
                    Screen.UNBOUNDED));
            assertTrue(shown.contains("! a response that cannot be read: "), shown);
            assertTrue(shown.contains("0.012345678901234567"), "the others remain: " + shown);
        }
    }

    @Test
    void showsProblemAboveEarlierContent() throws IOException {
        var stuck = new ServiceResponse(response(AuthoredService.PAIRS).body(), "503 busy; next request in 10 s", 0);
        String shown = text(Screen.lines(
                new ServiceView(BASE, response(AuthoredService.VENUES), stuck, null),
                Screen.UNBOUNDED,
                Screen.UNBOUNDED));
        assertTrue(shown.contains("! /api/v1/carry: 503 busy; next request in 10 s"), shown);
        assertTrue(shown.contains("0.012345678901234567"), shown);
    }

    @Test
    void theFirstScreenIsAsItWasAfterwards() throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        try (var display = new Display.FullScreen(out, Ansi.ON, () -> new TerminalSize(40, 20))) {
            display.show(whole());
        }
        String output = bytes.toString(StandardCharsets.UTF_8);
        assertTrue(output.startsWith("\u001b[?1049h\u001b[?25l\u001b[H"), output);
        assertTrue(output.endsWith("\u001b[?25h\u001b[?1049l"), output);
        for (String line : output.replaceAll("\u001b\\[[?0-9;]*[A-Za-z]", "").split("\r\n")) {
            assertTrue(line.length() <= 40, line);
        }
    }
}
