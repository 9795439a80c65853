package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.poll.RecordedResponses;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.Instants;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.standalone.exchanges.RecordedHistories;
import io.fundingobservatory.streams.normalisation.Normaliser;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.SettledRate;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reader and normalisation give the expected rows of real recorded bodies, which an independent reading
 * determined. The recordings are not part of the project; without them this test is skipped.
 */
class RecordedVenuesTest {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    private static final long READ_AT = 1_795_000_000_000L;

    /** Quotients with a price, a year or a day do not end; how far another division of the same values may lie. */
    private static final Map<String, BigDecimal> RELATIVE_TOLERANCE = Map.of(
            "kraken",
            new BigDecimal("0.01"),
            "gemini",
            new BigDecimal("1e-9"),
            "variational",
            new BigDecimal("1e-9"),
            "nado",
            new BigDecimal("1e-9"));

    static Stream<Venue> venues() {
        return Registry.all().stream();
    }

    @ParameterizedTest
    @MethodSource("venues")
    void makesTheExpectedRows(Venue venue) throws IOException {
        String recordings = System.getProperty("shared.venues", "");
        Path folder = Path.of(recordings).resolve(venue.spec().id());
        Assumptions.assumeTrue(Files.isRegularFile(folder.resolve("expected.json")), "no recordings available");

        var problems = new HashMap<String, String>();
        var rows = new Rows(venue.spec(), READ_AT);
        VenueResponses responses = RecordedResponses.responses(venue, folder, READ_AT, problems);
        if (venue.spec().id().equals("poloniex")) {
            addFrames(responses, folder);
        }
        venue.read(responses, rows);
        var actual = new TreeMap<String, Rate>();
        for (Quote quote : rows.quotes()) {
            if (Normaliser.normalise(quote) instanceof Normaliser.Accepted(Rate rate)) {
                actual.put(rate.symbol(), rate);
            }
        }
        assertTrue(problems.isEmpty(), problems::toString);

        BigDecimal tolerance = RELATIVE_TOLERANCE.getOrDefault(venue.spec().id(), BigDecimal.ZERO);
        var differences = new ArrayList<String>();
        JsonNode expected = JSON.readTree(folder.resolve("expected.json").toFile());
        for (JsonNode row : expected) {
            Rate rate = actual.remove(row.get("symbol").asText());
            if (rate == null) {
                differences.add("missing " + row.get("symbol").asText());
                continue;
            }
            differ(differences, row, "asset", rate.asset());
            differ(differences, row, "quote", rate.quote());
            differ(differences, row, "funding_rate", rate.fundingRate(), tolerance);
            differ(differences, row, "funding_rate_8h", rate.fundingRate8h(), tolerance);
            differ(differences, row, "funding_interval_h", rate.fundingIntervalH(), BigDecimal.ZERO);
            differ(differences, row, "mark_price", rate.markPrice(), BigDecimal.ZERO);
            differ(differences, row, "index_price", rate.indexPrice(), BigDecimal.ZERO);
            differ(differences, row, "multiplier", rate.priceScale(), BigDecimal.ZERO);
            Long next = rate.nextFundingMs();
            differ(
                    differences,
                    row,
                    "next_funding_ms",
                    next == null ? null : BigDecimal.valueOf(next),
                    BigDecimal.ZERO);
        }
        actual.keySet().forEach(symbol -> differences.add("unexpected " + symbol));
        assertEquals(List.of(), differences.stream().limit(20).toList());
    }

    /** Settled history, where its expectation was recorded as well: every settlement of the bodies, by the minute. */
    @ParameterizedTest
    @MethodSource("venues")
    void findsTheExpectedSettlements(Venue venue) throws IOException {
        Path folder = Path.of(System.getProperty("shared.venues", ""))
                .resolve(venue.spec().id());
        Path expectation = folder.resolve("expected_history.json");
        Assumptions.assumeTrue(Files.isRegularFile(expectation), "no settled history available");

        var actual = new TreeMap<String, String>();
        Map<String, String> symbols = symbolsByKey(venue, folder);
        for (var recorded : RecordedHistories.of(venue.spec(), folder).entrySet()) {
            String symbol = symbols.getOrDefault(recorded.getValue(), recorded.getValue());
            var settlements = new Settlements(venue.spec(), symbol, READ_AT);
            venue.readHistory(JsonValue.parse(Files.readAllBytes(recorded.getKey())), settlements);
            assertEquals(List.of(), settlements.skipped());
            settlements.settled().forEach(s -> actual.put(line(s.symbol(), s.settledMs()), fraction(s)));
        }
        var expected = new TreeMap<String, String>();
        for (JsonNode row : JSON.readTree(expectation.toFile())) {
            expected.put(
                    line(row.get("symbol").asText(), row.get("settled_ms").asLong()),
                    plain(new BigDecimal(row.get("rate").asText())));
        }
        assertEquals(expected, actual);
    }

    /** Of a venue whose history is requested by another key than the symbol. */
    private static Map<String, String> symbolsByKey(Venue venue, Path folder) throws IOException {
        VenueResponses responses = RecordedResponses.responses(venue, folder, READ_AT, new HashMap<>());
        var symbols = new HashMap<String, String>();
        for (History history : Objects.requireNonNullElse(venue.spec().history(), List.<History>of())) {
            if (history.keys() != null) {
                symbols.putAll(history.keys().apply(responses));
            }
        }
        return symbols;
    }

    /** Frames of Poloniex' socket hold the members of the response that is requested contract by contract. */
    private static void addFrames(VenueResponses responses, Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.getFileName().toString().startsWith("ws_funding_rate_"))
                    .toList()) {
                responses.add(
                        "fundingRate_{}",
                        new VenueResponses.Response("", JsonValue.parse(Files.readAllBytes(file)), READ_AT));
            }
        }
    }

    private static String line(String symbol, long settledMs) {
        return symbol + " " + Instant.ofEpochMilli(Instants.nearestMinute(settledMs));
    }

    private static String fraction(SettledRate settled) {
        return Normaliser.settled(settled) instanceof Normaliser.Accepted(BigDecimal rate) ? plain(rate) : "unclear";
    }

    private static String plain(BigDecimal rate) {
        return rate.stripTrailingZeros().toPlainString();
    }

    private static void differ(List<String> differences, JsonNode row, String field, String actual) {
        if (!row.get(field).asText().equals(actual)) {
            differences.add(
                    row.get("symbol").asText() + " " + field + ": expected " + row.get(field) + ", was " + actual);
        }
    }

    private static void differ(
            List<String> differences, JsonNode row, String field, BigDecimal actual, BigDecimal tolerance) {
        BigDecimal expected =
                row.get(field).isNull() ? null : new BigDecimal(row.get(field).asText());
        boolean same = expected == null || actual == null
                ? expected == actual
                : expected.subtract(actual).abs().compareTo(expected.abs().multiply(tolerance, MathContext.DECIMAL128))
                        <= 0;
        if (!same) {
            differences.add(row.get("symbol").asText() + " " + field + ": expected " + expected + ", was " + actual);
        }
    }
}
