package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.poll.RecordedResponses;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.topics.records.Quote;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every registered venue reads the authored bodies into exactly the expected raw quotes and skips. The bodies
 * are in {@code venues/<venue>/<request>.json}, the expectation in {@code expected.json}. It has
 * {@code quotes} as on {@code quotes.raw} (without {@code venue}, {@code observed_at_ms} and fields that are
 * null) and {@code skipped}.
 */
class AuthoredBodiesTest {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(com.fasterxml.jackson.databind.DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    private static final Pattern SAMPLE =
            Pattern.compile("(?s)<pre>\\{@code\\s+(?:\\* (?<request>[\\w.-]+): )?(?<row>.*?)\\s*\\*? ?}</pre>");
    private static final long READ_AT = 1_790_000_000_000L;

    static Stream<Venue> venues() {
        return Registry.all().stream();
    }

    @ParameterizedTest
    @MethodSource("venues")
    void readsWhatIsExpected(Venue venue) throws IOException {
        Path folder = Instances.bodies(venue);
        var problems = new HashMap<String, String>();
        var rows = new Rows(venue.spec(), READ_AT);
        venue.read(RecordedResponses.responses(venue, folder, READ_AT, problems), rows);

        assertTrue(problems.isEmpty(), problems::toString);
        JsonNode expected = JSON.readTree(folder.resolve("expected.json").toFile());
        assertEquals(lines(Instances.quotesOf(venue, expected.get("quotes"))), lines(asJson(rows.quotes())), "quotes");
        assertEquals(lines(expected.get("skipped")), lines(skips(rows)), "skipped");
        assertFalse(rows.quotes().isEmpty(), "a body with at least one live contract");
    }

    /** The row in a reader's Javadoc, {@code request: row} in one block, is part of the body of that name. */
    @ParameterizedTest
    @MethodSource("venues")
    void javadocShowsRowOfTheWire(Venue venue) throws IOException {
        Path source = Path.of(
                "src/main/java/io/fundingobservatory/ingest/venues",
                venue.getClass().getSimpleName() + ".java");
        Matcher sample = SAMPLE.matcher(Files.readString(source));
        assertTrue(sample.find(), "no sample row");
        assumeTrue(sample.group("request") != null, "a row of the documentation");
        JsonNode row = JSON.readTree(sample.group("row").replaceAll("(?m)^ \\*", ""));
        Path body = Instances.bodies(venue).resolve(sample.group("request") + ".json");
        assertTrue(holds(JSON.readTree(body.toFile()), row), () -> row + " is not in " + body);
    }

    private static boolean holds(JsonNode body, JsonNode row) {
        return isPart(body, row) || body.valueStream().anyMatch(node -> holds(node, row));
    }

    /** Whether an object has all members of a row, or a list begins with its elements. */
    private static boolean isPart(JsonNode whole, JsonNode part) {
        if (whole.getNodeType() != part.getNodeType() || !part.isContainerNode()) {
            return whole.equals(part);
        }
        if (part.isArray()) {
            return part.size() <= whole.size()
                    && IntStream.range(0, part.size()).allMatch(i -> isPart(whole.get(i), part.get(i)));
        }
        return part.propertyStream()
                .allMatch(
                        member -> whole.has(member.getKey()) && isPart(whole.get(member.getKey()), member.getValue()));
    }

    @ParameterizedTest
    @MethodSource("venues")
    void hasABodyForEveryRequest(Venue venue) {
        Path folder = Instances.bodies(venue);
        for (Request request : venue.spec().requests()) {
            String[] parts = request.name().split("\\{}", -1);
            String name = Stream.of(parts).map(Pattern::quote).collect(Collectors.joining("[^.]+"));
            assertTrue(
                    Stream.of(folder.toFile().list()).anyMatch(file -> file.matches(name + "(_\\d+)?\\.json")),
                    "no body for " + request.name());
        }
    }

    /** Silence is a response too: whichever requests stay unanswered, the reader neither throws nor shows another value. */
    @ParameterizedTest
    @MethodSource("venues")
    void missingResponseNeverBreaksTheReader(Venue venue) throws IOException {
        Map<String, Quote> full = quotes(venue, complete(venue));
        for (Request left : venue.spec().requests()) {
            quotes(venue, without(venue, left)).forEach((symbol, quote) -> {
                Quote whole = full.get(symbol);
                if (whole != null) {
                    String where = symbol + " without " + left.name();
                    assertEquals(whole.base(), quote.base(), where);
                    assertEquals(whole.quote(), quote.quote(), where);
                    assertEquals(whole.contractType(), quote.contractType(), where);
                    assertEquals(whole.rate(), quote.rate(), where);
                    assertEquals(whole.rateUnit(), quote.rateUnit(), where);
                    assertSameOrUnknown(whole.rateHours(), quote.rateHours(), where);
                    assertSameOrUnknown(whole.intervalH(), quote.intervalH(), where);
                    assertSameOrUnknown(whole.nextFundingMs(), quote.nextFundingMs(), where);
                    assertSameOrUnknown(whole.markPrice(), quote.markPrice(), where);
                    assertSameOrUnknown(whole.indexPrice(), quote.indexPrice(), where);
                }
            });
        }
    }

    private static Map<String, Quote> quotes(Venue venue, VenueResponses responses) {
        var rows = new Rows(venue.spec(), READ_AT);
        venue.read(responses, rows);
        return rows.quotes().stream().collect(Collectors.toMap(Quote::symbol, q -> q));
    }

    /** The responses to all other requests. */
    private static VenueResponses without(Venue venue, Request left) throws IOException {
        VenueResponses complete = complete(venue);
        var responses = new VenueResponses();
        venue.spec().requests().stream()
                .filter(request -> !request.equals(left))
                .forEach(request ->
                        complete.all(request.name()).forEach(response -> responses.add(request.name(), response)));
        return responses;
    }

    /**
     * A list without any instruments is not a valid list. The reader then treats the other responses as if
     * the list had not been returned. It never takes it for the end of every contract.
     */
    @ParameterizedTest
    @MethodSource("venues")
    void anEmptyListIsNoList(Venue venue) throws IOException {
        for (Request list : venue.spec().requests()) {
            if (list.priority() != Request.Priority.LISTS) {
                continue;
            }
            VenueResponses emptied = without(venue, list);
            byte[] empty = JSON.writeValueAsBytes(emptied(JSON.readTree(
                    Instances.bodies(venue).resolve(list.name() + ".json").toFile())));
            emptied.add(list.name(), new VenueResponses.Response("", JsonValue.parse(empty), READ_AT));
            assertEquals(rows(venue, without(venue, list)), rows(venue, emptied), "with an empty " + list.name());
        }
    }

    /** The same envelope with nothing in its lists. */
    private static JsonNode emptied(JsonNode body) {
        if (body.isArray()
                || body.properties().stream().allMatch(m -> m.getValue().isObject())) {
            return body.isArray() ? JSON.createArrayNode() : JSON.createObjectNode();
        }
        ObjectNode copy = JSON.createObjectNode();
        body.properties()
                .forEach(m ->
                        copy.set(m.getKey(), m.getValue().isContainerNode() ? emptied(m.getValue()) : m.getValue()));
        return copy;
    }

    private static VenueResponses complete(Venue venue) throws IOException {
        return RecordedResponses.responses(venue, Instances.bodies(venue), READ_AT, new HashMap<>());
    }

    private static List<String> rows(Venue venue, VenueResponses responses) throws IOException {
        var rows = new Rows(venue.spec(), READ_AT);
        venue.read(responses, rows);
        var lines = new ArrayList<>(lines(asJson(rows.quotes())));
        lines.addAll(lines(skips(rows)));
        return lines;
    }

    private static void assertSameOrUnknown(Object whole, Object partial, String where) {
        if (partial != null) {
            assertEquals(whole, partial, where);
        }
    }

    private static JsonNode asJson(List<Quote> quotes) throws IOException {
        var array = JSON.createArrayNode();
        for (Quote quote : quotes) {
            array.add(JSON.readTree(Quote.CODEC.encode(quote)));
        }
        return array;
    }

    private static JsonNode skips(Rows rows) {
        var array = JSON.createArrayNode();
        for (Rows.Skipped skip : rows.skipped()) {
            array.add(JSON.createObjectNode()
                    .put("symbol", skip.symbol())
                    .put("reason", skip.reason().toString()));
        }
        return array;
    }

    /** One line per element, in order of text: decimals without trailing zeros, nulls and what every quote shares left out. */
    private static List<String> lines(JsonNode array) {
        var lines = new ArrayList<String>();
        for (JsonNode element : array) {
            ObjectNode copy = JSON.createObjectNode();
            element.properties().stream()
                    .filter(f -> !f.getValue().isNull())
                    .filter(f -> !f.getKey().equals("venue") && !f.getKey().equals("observed_at_ms"))
                    .sorted(java.util.Map.Entry.comparingByKey())
                    .forEach(f -> copy.put(
                            f.getKey(),
                            f.getValue().isNumber()
                                    ? f.getValue()
                                            .decimalValue()
                                            .stripTrailingZeros()
                                            .toPlainString()
                                    : f.getValue().asText()));
            lines.add(copy.toString());
        }
        lines.sort(null);
        return lines;
    }
}
