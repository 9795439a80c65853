package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.publish.PollReport;
import io.fundingobservatory.ingest.publish.PollReport.Outcome;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rates that are requested symbol by symbol: within our allowance, one after the other. */
class PerSymbolRequestsTest extends VenuePollerFixture {

    @Test
    void requestsEachSymbolInTurn() {
        List<String> keys = IntStream.range(0, 100).mapToObj(i -> "S" + i).toList();
        VenueSpec spec = spec().limit("api.example.com", 250, 60)
                .request(Request.get("rate_{}", HOST + "rate?s={}").each(responses -> keys))
                .build();
        exchange = request -> rates(request.name().substring("rate_".length()));

        poll(spec, Duration.ofMinutes(30));

        assertTrue(
                times("rate_S99").size() >= 8,
                "every key is requested: " + times("rate_S99").size());
        assertEquals(100, reports.getLast().quotes().size(), "each key's last response counts for 180 s");
        long oldest = reports.getLast().quotes().stream()
                .mapToLong(q -> q.observedAtMs())
                .min()
                .orElseThrow();
        assertTrue(time.nowMs() - oldest <= 300_000);
    }

    /** 300 contracts, each with requests for its settled rate and its value, of 50 ms each: Crypto.com with frequent polls. */
    @Test
    void firstPollHasRatesDespiteLargeBackfill() {
        List<String> keys = IntStream.range(0, 300).mapToObj(i -> "S" + i).toList();
        VenueSpec spec = spec().limit("api.example.com", 60_000, 60)
                .request(Request.get("history_{}", HOST + "history?s={}")
                        .hourly()
                        .each(responses -> keys))
                .request(Request.get("rate_{}", HOST + "rate?s={}").each(responses -> keys))
                .build();
        latency = Duration.ofMillis(50);
        interval = Duration.ofSeconds(20);
        exchange = request ->
                request.name().startsWith("rate_") ? rates(request.name().substring("rate_".length())) : null;

        poll(spec, interval);

        assertTrue(
                reports.getFirst().quotes().size() >= 10,
                reports.getFirst().status().toString());
    }

    @Test
    void silentKeyIsRemovedAfterThreeMinutes() {
        VenueSpec spec = spec().limit("api.example.com", 6000, 60)
                .request(Request.get("rate_{}", HOST + "rate?s={}").each(responses -> List.of("A", "B")))
                .build();
        exchange = request -> request.name().equals("rate_B") && time.elapsedMs() > 300_000
                ? new FetchResult.Failed("HTTP 404", false)
                : rates(request.name().substring("rate_".length()));

        poll(spec, Duration.ofMinutes(12));

        assertEquals(1, reports.getLast().quotes().size());
        assertTrue(
                reports.getLast().status().reason().startsWith("rate_{}: HTTP 404 (1 keys)"), "its reason is reported");
        PollReport justAfter = reports.get(6);
        assertEquals(2, justAfter.quotes().size(), "at first its last response still counts");
    }

    @Test
    void refusedKeysTakeNoTimeOfOthers() {
        exchange = request -> request.name().matches("rate_S[0-3]?\\d")
                ? new FetchResult.Failed("HTTP 404", false)
                : rates(request.name().substring("rate_".length()));

        poll(each(6_000, 0, 80), Duration.ofMinutes(30));

        assertEquals(40, reports.getLast().quotes().size());
        assertTrue(oldestEverMs(Duration.ofMinutes(2)) <= 60_000, oldestEverMs(Duration.ofMinutes(2)) + " ms");
        assertEquals("rate_{}: HTTP 404 (40 keys)", reports.getLast().status().reason());
    }

    @Test
    void fiveTimeOutsEndRatesOfPoll() {
        exchange = request -> new FetchResult.NoResponse("no whole response within 10 s");

        poll(each(6_000, 0, 80), MINUTE);

        assertEquals(5 * reports.size(), sent.size());
        assertEquals(
                "rate_{}: no whole response within 10 s (5 keys)",
                reports.getFirst().status().reason());
    }

    @Test
    void reportsUnreadableKeysOnce() {
        VenueSpec spec = spec().limit("api.example.com", 6000, 60)
                .request(Request.get("rate_{}", HOST + "rate?s={}").each(responses -> List.of("A", "B")))
                .request(Request.get("price_{}", HOST + "price?s={}").each(responses -> {
                    throw Skip.unreadable("contracts");
                }))
                .build();
        exchange = request -> rates(request.name().substring("rate_".length()));

        poll(spec, Duration.ofMinutes(2));

        assertEquals(
                "price_{}: its keys are unreadable, unreadable_contracts",
                reports.getLast().status().reason());
    }

    private static VenueSpec each(int units, int everyMinutes, int keys) {
        List<String> names = IntStream.range(0, keys).mapToObj(i -> "S" + i).toList();
        return spec().limit("api.example.com", units, 60)
                .request(Request.get("rate_{}", HOST + "rate?s={}")
                        .everyMinutes(everyMinutes)
                        .each(responses -> names))
                .build();
    }

    private long oldestEverMs(Duration from) {
        long begun = time.nowMs() - time.elapsedMs();
        return reports.stream()
                .filter(r -> r.status().lastAttemptMs() - begun > from.toMillis())
                .mapToLong(r -> r.quotes().stream()
                        .mapToLong(q -> r.status().lastAttemptMs() - q.observedAtMs())
                        .max()
                        .orElse(Long.MAX_VALUE))
                .max()
                .orElseThrow();
    }

    @Test
    void twoMinuteRequestsRunEverySecondPoll() {
        latency = Duration.ofMillis(200);
        exchange = request -> rates(request.name().substring("rate_".length()));

        poll(each(6_000, 2, 125), Duration.ofHours(2));

        List<Long> at = times("rate_S7");
        assertTrue(at.size() >= 56 && at.size() <= 62, "once in two minutes: " + at.size());
        // when a poll ends, what is polled in the next round is almost two minutes old
        assertTrue(oldestEverMs(Duration.ofMinutes(5)) <= 150_000, oldestEverMs(Duration.ofMinutes(5)) + " ms");
    }

    /**
     * A single contract requested every second minute leaves every other minute without a request. That is
     * not a failure of the venue.
     */
    @Test
    void pollWithNothingDuePublishesCachedRows() {
        exchange = request -> rates(request.name().substring("rate_".length()));

        poll(each(6_000, 2, 1), Duration.ofHours(1));

        int unsent = 0;
        for (int i = 1; i < reports.size(); i++) {
            VenueStatus before = reports.get(i - 1).status();
            VenueStatus status = reports.get(i).status();
            assertNull(status.reason());
            assertEquals(1, reports.get(i).quotes().size());
            if (status.lastAttemptMs().equals(before.lastAttemptMs())) {
                unsent++;
                assertEquals(before.lastSuccessMs(), status.lastSuccessMs(), "nothing responded");
            }
        }
        assertTrue(unsent > 10, unsent + " polls requested nothing");
    }

    @Test
    void reasonCountsKeysThatExceedAllowance() {
        latency = Duration.ofMillis(400);
        exchange = request -> rates(request.name().substring("rate_".length()));

        // 450 keys at 0.4 s take 180 s, of which 45 s in a minute are theirs
        poll(each(60_000, 0, 450), Duration.ofMinutes(40));

        String reason = reports.getLast().status().reason();
        assertTrue(
                reason.matches(
                        "rate_\\{}: \\d+ of 450 rates are older than 180 s: only 11\\d requests fitted into 45 s"),
                reason);
    }

    /**
     * Hyperliquid's values and past: 1,200 units a minute, 20 for each of five lists and for a page of settled rates. Settled
     * rates may take what the values leave, which is not what the values failed to get.
     */
    @Test
    void postponedRatesAreReadDespiteBackfill() {
        symbols = IntStream.range(0, 400).mapToObj(i -> "S" + i).toList();
        List<String> dexes = List.of("xyz", "para", "io", "mkts");
        VenueSpec spec = spec().limit("api.example.com", 1_200, 60)
                .request(Request.get("rates", HOST + "rates").weight(20))
                .request(Request.get("rate_{}", HOST + "rate?s={}")
                        .each(responses -> dexes)
                        .weight(20))
                .history(History.get("history_{}", HOST + "history?s={key}", History.Paging.NONE, 100)
                        .weight(20))
                .build();
        // slow responses push that minute's settled rates to its end, and the next values find them in the window
        exchange = request -> {
            if (request.name().startsWith("rate_") && time.elapsedMs() > 300_000 && time.elapsedMs() < 360_000) {
                time.pause(Duration.ofSeconds(38));
            }
            return request.name().startsWith("rate_") ? rates(request.name().substring("rate_".length())) : null;
        };

        poll(spec, Duration.ofMinutes(40));

        assertTrue(whole.size() < symbols.size(), "settled rates wait to be read all the time");
        for (String dex : dexes) {
            List<Long> at =
                    times("rate_" + dex).stream().filter(t -> t > 600_000).toList();
            for (int i = 1; i < at.size(); i++) {
                long gap = at.get(i) - at.get(i - 1);
                assertTrue(gap <= 180_000, dex + " was not requested for " + gap + " ms: " + at);
            }
            assertTrue(at.size() >= 10, dex + " is requested every second minute: " + at);
        }
    }

    /** The keys of hourly details that come from the rates of each poll. */
    @Test
    void lostRatesDoNotCostDetails() {
        VenueSpec spec = spec().limit("api.example.com", 6_000, 60)
                .request(Request.get("rates", HOST + "rates"))
                .request(Request.get("detail_{}", HOST + "detail?s={}")
                        .hourly()
                        .each(responses -> List.copyOf(
                                responses.rowsBy("symbol", "rates", "rows").keySet())))
                .build();
        exchange = request -> request.name().equals("rates") && time.elapsedMs() / 60_000 == 10
                ? new FetchResult.Failed("HTTP 500", true)
                : null;

        poll(spec, Duration.ofMinutes(30));

        assertEquals(
                1, reports.stream().filter(r -> r.outcome() == Outcome.FAILED).count(), "one poll has no rates");
        assertEquals(1, times("detail_A").size(), "its details count for an hour");
        assertEquals(1, times("detail_B").size());
    }

    @Test
    void hyperliquidRequestsKnownDexesWithoutTheirList() throws IOException {
        Request request = Objects.requireNonNull(Registry.find("hyperliquid")).spec().requests().stream()
                .filter(r -> r.name().equals("metaAndAssetCtxs_{}"))
                .findFirst()
                .orElseThrow();
        var keys = Objects.requireNonNull(request.keys());
        assertTrue(keys.apply(new VenueResponses()).contains("xyz"));
        JsonValue list = JsonValue.parse("[null,{\"name\":\"flx\"}]".getBytes(StandardCharsets.UTF_8));
        assertEquals(
                List.of("flx"),
                keys.apply(new VenueResponses().add("perpDexs", new VenueResponses.Response("", list, 0))));
    }
}
