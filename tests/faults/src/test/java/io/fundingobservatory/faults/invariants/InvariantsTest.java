package io.fundingobservatory.faults.invariants;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Played;
import io.fundingobservatory.oracle.Acknowledgements;
import io.fundingobservatory.oracle.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each invariant holds over what is right, and breaks over each way of being wrong. */
class InvariantsTest {
    private static final Set<String> TWO = Set.of("okx|A", "okx|B");

    private static ListSample list(long generatedAtMs, String... rows) {
        String json =
                "{\"meta\":{\"generated_at_ms\":" + generatedAtMs + "},\"rows\":[" + String.join(",", rows) + "]}";
        return ListSample.of(0, Json.object(json.getBytes(StandardCharsets.UTF_8)));
    }

    private static String row(String symbol, long observedAtMs, boolean stale) {
        return "{\"venue\":\"okx\",\"symbol\":\"%s\",\"observed_at_ms\":%d%s}"
                .formatted(symbol, observedAtMs, stale ? ",\"stale\":true" : "");
    }

    private static ListSample status(int status, String retryAfter) {
        return ListSample.without(0, status, retryAfter, null);
    }

    private static List<String> partial(ListSample... samples) {
        var partial = new NoPartialList(TWO);
        for (ListSample sample : samples) {
            partial.received(sample, false);
        }
        return partial.violations();
    }

    @Test
    void noPartialList() {
        ListSample whole = list(1_000_000, row("A", 999_000, false), row("B", 999_000, false));
        assertEquals(List.of(), partial(status(503, "1"), whole, whole));
        assertEquals(
                1, partial(whole, list(1_000_000, row("A", 999_000, false))).size(), "one row is missing");
        assertEquals(1, partial(whole, list(1_000_000)).size(), "empty");
        assertEquals(1, partial(status(503, null)).size(), "no Retry-After");
        assertEquals(1, partial(whole, status(503, "1")).size(), "it had a list");
        assertEquals(1, partial(status(500, null)).size(), "500");
        assertEquals(1, partial(status(0, null)).size(), "no response");
        var killed = new NoPartialList(TWO);
        killed.received(whole, false);
        killed.received(status(0, null), true);
        killed.received(status(503, "1"), false);
        killed.received(whole, false);
        assertEquals(List.of(), killed.violations());
    }

    @Test
    void reportsRecordReplacedByAnotherAsLost() {
        var acknowledged = new Acknowledgements();
        acknowledged.add(0, 7, 70);
        acknowledged.add(0, 8, 80);
        acknowledged.add(1, 7, 71);
        assertEquals(Set.of(), acknowledged.twice());
        // a new leader of partition 0 has neither and goes on from 6; all that it takes is on the topic
        acknowledged.add(0, 7, 72);
        assertEquals(Set.of(Acknowledgements.position(0, 7)), acknowledged.twice());
        acknowledged.byPosition().clear();
        assertEquals(
                Set.of(Acknowledgements.position(0, 7)),
                acknowledged.twice(),
                "reported also when all others are seen");
    }

    @Test
    void ageIsCorrect() {
        var age = new CorrectAge();
        age.received(list(1_000_000, row("A", 999_000, false), row("B", 700_000, true)));
        age.received(list(1_001_000, row("A", 999_000, false)));
        assertEquals(List.of(), age.violations());
        age.received(list(1_000_500));
        assertEquals(1, age.violations().size(), "generated earlier than before");
        age.received(list(2_000_000, row("A", 1_800_000, false)));
        assertEquals(2, age.violations().size(), "200 s old and not marked");
        age.received(list(2_000_000, row("A", 1_990_000, true)));
        assertEquals(3, age.violations().size(), "10 s old and marked");
        age.received(list(2_000_000, row("A", 1_300_000, true)));
        assertEquals(4, age.violations().size(), "700 s old and shown");
        age.received(list(2_000_000, row("A", 1_990_000, false), row("A", 1_990_000, false)));
        assertEquals(5, age.violations().size(), "twice");
    }

    @Test
    void recoveryIsJudgedByItsBound() {
        var played = new Played(Fault.own("F0", "nothing", 5, (folder, seed, on) -> {}), 1);
        played.begin(7);
        played.fired("for certain");
        played.recovered(Duration.ofMillis(4_900));
        played.end();
        assertEquals(List.of(), played.problems());
        played.recovered(Duration.ofMillis(5_100));
        played.never("for a reason");
        assertEquals(2, played.problems().size());
        assertFalse(played.isBroken() || played.held());
        played.begin(8);
        played.end();
        assertTrue(played.isBroken(), "it did not fire");
    }

    @Test
    void noLeak() {
        var leak = new NoLeak();
        leak.compare("threads", 100, 109, 30);
        leak.compare("threads", 10, 12, 30);
        assertEquals(List.of(), leak.violations());
        leak.compare("threads", 100, 120, 30);
        leak.compare("memory", 100_000, 130_000, 50_000);
        assertTrue(leak.violations().size() == 2);
    }
}
