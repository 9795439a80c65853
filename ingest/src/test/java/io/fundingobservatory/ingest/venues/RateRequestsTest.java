package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.poll.RecordedResponses;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateRequest;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The requests that a venue names as the source of its rates. Every number of one response is changed: rates change
 * exactly where the request is one of them.
 */
class RateRequestsTest {
    private static final long READ_AT = 1_790_000_000_000L;
    private static final Pattern DECIMAL = Pattern.compile("-?\\d+\\.\\d+([eE][-+]?\\d+)?");
    /** Whole numbers that are no instants: some venues scale rates to whole numbers. */
    private static final Pattern WHOLE = Pattern.compile("-?\\d{1,8}");

    static Stream<Venue> venues() {
        return Registry.all().stream();
    }

    @ParameterizedTest
    @MethodSource("venues")
    void ratesComeFromTheRequestsThatAreNamed(Venue venue) throws IOException {
        var decimals = changedBy(
                venue, text -> DECIMAL.matcher(text).matches() ? new BigDecimal(text).toPlainString() + "7" : text);
        var found = decimals.isEmpty()
                ? changedBy(venue, text -> WHOLE.matcher(text).matches() ? text + "7" : text)
                : decimals;
        List<RateRequest> named = venue.spec().rateRequests();
        assertEquals(
                found, new TreeSet<>(named.stream().map(RateRequestsTest::line).toList()));
        assertTrue(named.stream().allMatch(r -> r.method().equals("POST") == (r.body() != null)), named::toString);
    }

    private static String line(RateRequest request) {
        return request.method() + " " + request.url() + (request.body() == null ? "" : " " + request.body());
    }

    /** The requests whose responses change a rate when their numbers change. */
    private static TreeSet<String> changedBy(Venue venue, UnaryOperator<String> change) throws IOException {
        VenueResponses complete = RecordedResponses.responses(venue, Instances.bodies(venue), READ_AT, new HashMap<>());
        Map<String, BigDecimal> before = rates(venue, complete);
        var found = new TreeSet<String>();
        for (Request changed : venue.spec().requests()) {
            var responses = new VenueResponses();
            for (Request request : venue.spec().requests()) {
                for (Response response : complete.all(request.name())) {
                    responses.add(
                            request.name(),
                            request.name().equals(changed.name()) ? changed(response, change) : response);
                }
            }
            rates(venue, responses).forEach((symbol, rate) -> {
                BigDecimal was = before.get(symbol);
                if (was != null && was.compareTo(rate) != 0) {
                    found.add(line(new RateRequest(
                            changed.declared().method(),
                            changed.declared().url(),
                            changed.declared().body())));
                }
            });
        }
        return found;
    }

    private static Map<String, BigDecimal> rates(Venue venue, VenueResponses responses) {
        var rows = new Rows(venue.spec(), READ_AT);
        venue.read(responses, rows);
        return rows.quotes().stream()
                .filter(quote -> quote.rate() != null)
                .collect(Collectors.toMap(Quote::symbol, Quote::rate));
    }

    private static Response changed(Response response, UnaryOperator<String> change) throws IOException {
        byte[] body = new ObjectMapper().writeValueAsBytes(changed(response.body(), change));
        return new Response(response.key(), JsonValue.parse(body), response.readAtMs());
    }

    private static JsonNode changed(JsonValue value, UnaryOperator<String> change) {
        JsonNodeFactory json = JsonNodeFactory.instance;
        if (value.isArray()) {
            var list = json.arrayNode();
            value.elements().forEach(element -> list.add(changed(element, change)));
            return list;
        }
        if (value.isObject()) {
            var object = json.objectNode();
            value.members().forEach((name, member) -> object.set(name, changed(member, change)));
            return object;
        }
        String text = value.asText();
        if (text == null) {
            return json.nullNode();
        }
        return text.equals("true") || text.equals("false")
                ? json.booleanNode(text.equals("true"))
                : json.textNode(change.apply(text));
    }
}
