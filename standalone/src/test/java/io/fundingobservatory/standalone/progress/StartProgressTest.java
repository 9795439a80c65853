package io.fundingobservatory.standalone.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fundingobservatory.topics.records.PollCounts;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Progress of a start, on a terminal and for programs. */
class StartProgressTest {
    private static final long START = 1_790_000_000_000L;
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(START));

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Progress sentences = new Progress(new PrintStream(bytes, true, StandardCharsets.UTF_8), CLOCK, true);

    /** The sentences since the last call, without their times. */
    private List<String> reported() {
        List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
        bytes.reset();
        lines.forEach(line -> assertTrue(line.startsWith("14:13:20Z "), line));
        return lines.stream().map(line -> line.substring(10)).toList();
    }

    private static VenueStatus status(
            String venue, @Nullable Long success, @Nullable Long failure, @Nullable String reason, boolean history) {
        return new VenueStatus(
                venue,
                Source.SIMULATED,
                RateKind.ESTIMATE,
                history,
                "https://example.org",
                success == null ? failure : success,
                success,
                failure,
                reason,
                success == null ? null : 100L,
                Map.of());
    }

    @Test
    void startEndsWhenExchangesAreReadOrFailed() {
        var progress = new StartProgress(List.of("gate", "kraken", "okx"), START, sentences);
        progress.accept(status("gate", START - 1, null, null, true), START);
        assertEquals(List.of(), reported(), "polled before the start");
        progress.accept(status("gate", START + 1_000, null, null, true), START + 1_000);
        progress.accept(status("elsewhere", START + 1_000, null, null, true), START + 1_000);
        progress.accept(status("kraken", null, START + 2_000, "refused with 403", true), START + 2_000);
        progress.accept(status("okx", START + 9_000, null, null, false), START + 9_000);
        assertEquals(
                List.of(
                        "gate responded with 100 contracts",
                        "kraken failed (refused with 403)",
                        "okx responded with 100 contracts",
                        "2 of 3 exchanges responded within 9 s: 200 contracts; not kraken (refused with 403)"),
                reported());
        assertFalse(progress.isOver());
        progress.accept(status("gate", START + 60_000, null, null, true).withHistory(40, 100), START + 60_000);
        progress.accept(status("gate", START + 120_000, null, null, true).withHistory(100, 100), START + 120_000);
        assertEquals(
                List.of(
                        "30 days of settled rates are read of 40 of 100 contracts",
                        "gate is read back 30 days, 100 contracts",
                        "30 days of settled rates are read after 120 s: 100 contracts; none is published by, or known of,"
                                + " kraken (refused with 403), okx"),
                reported());
        assertTrue(progress.isOver());
    }

    @Test
    void historyProblemEndsWait() {
        var progress = new StartProgress(List.of("gate"), START, sentences);
        progress.accept(
                status("gate", START + 1_000, null, null, true)
                        .withHistory(60, 100)
                        .withHistoryProblem("refused with 451"),
                START + 5_000);
        assertTrue(progress.isOver());
        assertEquals(
                "30 days of settled rates are read after 5 s: 60 contracts; not all of gate (refused with 451)",
                reported().getLast());
    }

    @Test
    void venueStillPausedAfterRestartCountsAsFailed() {
        var progress = new StartProgress(List.of("binance", "okx"), START, sentences);
        progress.accept(status("okx", START + 1_000, null, null, false), START + 1_000);
        VenueStatus paused = status("binance", START - 90_000, START - 9_000, "paused by the exchange", true);
        progress.accept(paused.withPollCounts(PollCounts.since(START - 1)), START + 1_000);
        assertEquals(List.of("okx responded with 100 contracts"), reported(), "the status of an earlier process");
        progress.accept(paused.withPollCounts(PollCounts.since(START + 2_000)), START + 2_000);
        assertEquals(
                "1 of 2 exchanges responded within 2 s: 100 contracts; not binance (paused by the exchange)",
                reported().get(1));
        assertTrue(progress.isOver());
    }

    /** A response of an exchange must not control a terminal. */
    @Test
    void printsNoControlCharacters() {
        sentences.step("\u001b[2J\u202e");
        assertEquals(List.of("?[2J?"), reported());
    }

    @Test
    void writesOneJsonLineForEachState() throws Exception {
        var json = new Progress(new PrintStream(bytes, true, StandardCharsets.UTF_8), CLOCK, false);
        json.step("a \"quoted\" step");
        var progress = new StartProgress(List.of("gate"), START, json);
        progress.accept(status("gate", START + 1, null, null, true).withHistory(1, 100), START + 1);
        progress.accept(status("gate", START + 2, null, null, true).withHistory(2, 100), START + 2);
        progress.accept(status("gate", START + 3, null, null, true).withHistory(100, 100), START + 3);
        var events = new ArrayList<JsonNode>();
        for (String line : bytes.toString(StandardCharsets.UTF_8).lines().toList()) {
            events.add(new ObjectMapper().readTree(line));
        }
        assertEquals(
                List.of("step", "exchange", "step", "exchange", "step"),
                events.stream().map(event -> event.get("event").asText()).toList());
        assertEquals("a \"quoted\" step", events.getFirst().get("message").asText());
        assertEquals("2026-09-21T14:13:20Z", events.getFirst().get("at_utc").asText());
        assertEquals(
                "{\"venue\":\"gate\",\"state\":\"reading_history\",\"contracts\":100,\"history_contracts_read\":1,"
                        + "\"history_contracts\":100,\"reason\":null}",
                ((ObjectNode) events.get(1)).without(List.of("at_utc", "event")).toString());
    }
}
