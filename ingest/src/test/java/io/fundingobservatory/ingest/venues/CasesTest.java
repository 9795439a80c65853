package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import io.fundingobservatory.topics.records.Quote;
import java.io.IOException;
import java.util.ArrayList;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a reader does with some responses of a venue: some are missing, of different ages, or of an odd moment. They are {@code
 * cases} in {@code venues/<venue>/expected.json}. A case names every quote with some of its fields, as on {@code quotes.raw}, and
 * every skipped row; or whether a body is a venue error.
 */
class CasesTest {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    private static final long READ_AT = 1_790_000_000_000L;

    static Stream<Arguments> cases() throws IOException {
        var cases = new ArrayList<Arguments>();
        for (Venue venue : Registry.all()) {
            String id = venue.spec().id();
            if (id.equals(Instances.wireId(venue))) {
                JSON.readTree(Instances.bodies(venue).resolve("expected.json").toFile())
                        .path("cases")
                        .forEach(one ->
                                cases.add(Arguments.of(id, one.get("name").asText(), venue, one)));
            }
        }
        assertTrue(cases.size() > 30, () -> cases.size() + " cases");
        return cases.stream();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("cases")
    void readsCase(String id, String name, Venue venue, JsonNode one) throws IOException {
        if (one.has("error")) {
            VenueError error = venue.error(JsonValue.parse(JSON.writeValueAsBytes(one.get("body"))));
            assertEquals(one.get("error").asBoolean(), error != null);
            return;
        }
        long readAt = one.path("read_at_ms").asLong(READ_AT);
        var responses = new VenueResponses();
        for (JsonNode response : one.get("responses")) {
            responses.add(
                    response.get("request").asText(),
                    new Response(
                            response.path("key").asText(""),
                            JsonValue.parse(JSON.writeValueAsBytes(response.get("body"))),
                            response.path("read_at_ms").asLong(READ_AT)));
        }
        var rows = new Rows(venue.spec(), readAt);
        venue.read(responses, rows);

        var quotes = new TreeMap<String, JsonNode>();
        for (Quote quote : rows.quotes()) {
            quotes.put(quote.symbol(), JSON.readTree(Quote.CODEC.encode(quote)));
        }
        var expected = new TreeMap<String, JsonNode>();
        one.get("quotes").forEach(quote -> expected.put(quote.get("symbol").asText(), quote));
        assertEquals(expected.keySet(), quotes.keySet(), () -> rows.skipped().toString());
        expected.forEach((symbol, fields) -> fields.properties()
                .forEach(field -> assertSame(
                        field.getValue(), quotes.get(symbol).path(field.getKey()), symbol + " " + field.getKey())));
        var skipped = new ArrayList<String>();
        one.get("skipped")
                .forEach(skip -> skipped.add(
                        skip.get("symbol").asText() + " " + skip.get("reason").asText()));
        assertEquals(
                skipped,
                rows.skipped().stream().map(s -> s.symbol() + " " + s.reason()).toList());
    }

    private static void assertSame(JsonNode expected, JsonNode actual, String what) {
        if (expected.isNull()) {
            assertTrue(actual.isNull() || actual.isMissingNode(), () -> what + " is " + actual);
        } else if (expected.isNumber()) {
            assertEquals(0, expected.decimalValue().compareTo(actual.decimalValue()), () -> what + " is " + actual);
        } else {
            assertEquals(expected.asText(), actual.asText(), what);
        }
    }
}
