package io.fundingobservatory.ingest.backfill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.ingest.backfill.HistoryCursor.Endpoint;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.Instants;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.ingest.venues.Instances;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.topics.HistoryReach;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.SettledRate;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The settled history of every venue that publishes one, from authored pages to settlements. {@code history} of
 * {@code venues/<venue>/expected.json} has the pages, what each request must contain, and how many rows the venue
 * returns at a time. It also has every settlement by the minute. A running interval has no settlement, nor
 * has a gap. A settlement on two pages counts once. So does a settlement that was stamped some seconds or
 * minutes late.
 */
class AuthoredHistoriesTest {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    private static final long READ_AT = 1_790_000_000_000L;
    private static final long REACH_MS = Duration.ofDays(31).toMillis();

    static Stream<Venue> venues() {
        return Registry.all().stream().filter(venue -> venue.spec().history() != null);
    }

    @ParameterizedTest
    @MethodSource("venues")
    void everySettlementIsFoundAndNothingElse(Venue venue) throws IOException {
        JsonNode expected = JSON.readTree(
                        Instances.bodies(venue).resolve("expected.json").toFile())
                .get("history");
        History history = declared(venue, expected.get("history").asText());
        assertEquals(expected.get("page_rows").asInt(), history.maxRows(), "rows of a page");
        List<JsonValue> bodies = bodies(expected);
        if (expected.get("full").asBoolean()) { // a full page is as long as the first one here
            history = withPagesOf(history, rows(venue, bodies.getFirst()));
        }

        var requested = new ArrayList<String>();
        var endpoint = new Endpoint(history, expected.get("key").asText());
        var cursor = new HistoryCursor(List.of(endpoint), READ_AT - REACH_MS, READ_AT);
        List<Settlements> pages =
                WholeHistory.read(venue, expected.get("symbol").asText(), cursor, READ_AT, request -> {
                    requested.add(spelled(request));
                    assertTrue(requested.size() <= bodies.size(), () -> "one page too many: " + spelled(request));
                    return bodies.get(requested.size() - 1);
                });

        assertEquals(expected.get("calls").size(), requested.size(), requested::toString);
        for (int i = 0; i < requested.size(); i++) {
            String request = requested.get(i);
            String part = expected.get("calls").get(i).asText();
            assertTrue(request.contains(part), () -> "expected " + part + ", requested " + request);
        }
        assertEquals(lines(expected), lines(pages));
    }

    /** What is said of an exchange to those who read its pairs is what its reader does. */
    @ParameterizedTest
    @MethodSource("everyVenue")
    void publishesAHistoryWhereItIsListedSo(Venue venue) {
        boolean listed = ListedVenue.of(venue.spec().id()).historyReach().extent() != HistoryReach.Extent.NONE;
        assertEquals(listed, venue.spec().history() != null);
    }

    static Stream<Venue> everyVenue() {
        return Registry.all().stream();
    }

    private static History declared(Venue venue, String name) {
        return venue.spec().history().stream()
                .filter(h -> h.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no history " + name));
    }

    private static History withPagesOf(History history, int rows) {
        return new History(
                history.declared(),
                history.paging(),
                rows,
                history.longest(),
                history.stampedEarlier(),
                history.rowsPerUnit(),
                history.keys());
    }

    private static int rows(Venue venue, JsonValue body) {
        var page = new Settlements(venue.spec(), "?", READ_AT);
        venue.readHistory(body, page);
        return page.rows();
    }

    private static String spelled(VenueRequest request) {
        return request.body() == null ? request.url() : request.url() + " " + request.body();
    }

    private static List<JsonValue> bodies(JsonNode expected) throws IOException {
        var bodies = new ArrayList<JsonValue>();
        for (JsonNode page : expected.get("pages")) {
            bodies.add(JsonValue.parse(JSON.writeValueAsBytes(page)));
        }
        return bodies;
    }

    /** By the minute, as the ledger keeps them; the same settlement on two pages must be the same. */
    private static List<String> lines(List<Settlements> pages) {
        var settled = new TreeMap<Long, String>();
        for (Settlements page : pages) {
            assertEquals(List.of(), page.skipped());
            for (SettledRate rate : page.settled()) {
                String line = line(
                        Instant.ofEpochMilli(Instants.nearestMinute(rate.settledMs()))
                                .toString(),
                        rate.rate(),
                        rate.rateUnit().name().toLowerCase(Locale.ROOT),
                        rate.intervalH());
                String before = settled.putIfAbsent(Instants.nearestMinute(rate.settledMs()), line);
                assertTrue(before == null || before.equals(line), () -> before + " and " + line);
            }
        }
        return List.copyOf(settled.values());
    }

    private static List<String> lines(JsonNode expected) {
        var lines = new ArrayList<String>();
        for (JsonNode settled : expected.get("settled")) {
            lines.add(line(
                    settled.get("settled").asText(),
                    settled.get("rate").decimalValue(),
                    expected.get("unit").asText(),
                    settled.has("interval_h") ? settled.get("interval_h").decimalValue() : null));
        }
        return lines;
    }

    private static String line(String instant, BigDecimal rate, String unit, BigDecimal hours) {
        return instant + " " + rate.stripTrailingZeros().toPlainString() + " " + unit
                + (hours == null ? "" : " " + hours.stripTrailingZeros().toPlainString() + " h");
    }
}
