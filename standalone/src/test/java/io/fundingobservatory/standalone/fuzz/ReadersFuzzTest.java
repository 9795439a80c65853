package io.fundingobservatory.standalone.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.testbed.Checkout;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.Quote;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;

/**
 * A reader throws nothing, whatever body it gets. It skips rows that it cannot read; the others can be
 * written and read again. The fuzzer replaces, removes and doubles values of the authored bodies.
 */
@Tag("fuzz")
class ReadersFuzzTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final long READ_AT = 1_790_000_000_000L;
    private static final Path BODIES = Checkout.ROOT.resolve("ingest/src/test/resources/venues");
    private static final Map<String, VenueResponses> WHOLE = new ConcurrentHashMap<>();
    private static final Map<String, byte[]> FIRST_BODY = new ConcurrentHashMap<>();

    @FuzzTest(maxDuration = "1m")
    void aReaderThrowsNothing(FuzzedDataProvider fuzz) throws IOException, MalformedRecord {
        Venue venue = fuzz.pickValue(Registry.all());
        List<Request> requests = venue.spec().requests();
        Request hit = fuzz.pickValue(requests);
        byte[] body = damaged(body(venue, hit), fuzz);
        JsonValue read;
        try {
            read = JsonValue.parse(body);
        } catch (IOException e) {
            return; // beyond what is kept of a response
        }
        var responses = new VenueResponses();
        VenueResponses whole = WHOLE.computeIfAbsent(venue.spec().id(), id -> authored(venue));
        for (Request request : requests) {
            if (request.equals(hit)) {
                responses.add(request.name(), new Response("", read, READ_AT));
            } else {
                whole.all(request.name()).forEach(response -> responses.add(request.name(), response));
            }
        }
        try {
            venue.error(read);
            var rows = new Rows(venue.spec(), READ_AT);
            venue.read(responses, rows);
            for (Quote quote : rows.quotes()) {
                Quote.CODEC.decode(Quote.CODEC.encode(quote));
            }
            if (venue.spec().history() != null) {
                venue.readHistory(read, new Settlements(venue.spec(), "X", READ_AT));
            }
        } catch (Skip contradicted) {
            if (!contradicted.reason().equals(Skip.CONTRADICTED)) {
                throw contradicted;
            }
        }
    }

    /** The authored responses to the requests that have one. */
    private static VenueResponses authored(Venue venue) {
        var responses = new VenueResponses();
        try {
            for (Request request : venue.spec().requests()) {
                Path file = BODIES.resolve(venue.spec().id()).resolve(request.name() + ".json");
                if (Files.isRegularFile(file)) {
                    responses.add(request.name(), new Response("", JsonValue.parse(Files.readAllBytes(file)), READ_AT));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return responses;
    }

    /** The authored body of a request; an empty object where there is none. */
    private static byte[] body(Venue venue, Request request) {
        return FIRST_BODY.computeIfAbsent(venue.spec().id() + "/" + request.name(), name -> {
            Path file = BODIES.resolve(venue.spec().id()).resolve(request.name() + ".json");
            try {
                return Files.readAllBytes(file);
            } catch (IOException e) {
                return "{}".getBytes(StandardCharsets.UTF_8);
            }
        });
    }

    private static byte[] damaged(byte[] body, FuzzedDataProvider fuzz) throws IOException {
        JsonNode root = JSON.readTree(body);
        for (int edits = fuzz.consumeInt(1, 4); edits > 0; edits--) {
            var containers = new ArrayList<JsonNode>();
            collect(root, containers);
            if (containers.isEmpty()) {
                break;
            }
            JsonNode container = fuzz.pickValue(containers);
            int position = fuzz.consumeInt(0, container.size() - 1);
            if (container instanceof ArrayNode array) {
                switch (fuzz.consumeInt(0, 3)) {
                    case 0 -> array.remove(position);
                    case 1 -> array.insert(position, array.get(position).deepCopy());
                    default -> array.set(position, value(fuzz));
                }
            } else if (container instanceof ObjectNode object) {
                String name = object.properties().stream()
                        .skip(position)
                        .findFirst()
                        .orElseThrow()
                        .getKey();
                if (fuzz.consumeInt(0, 4) == 0) {
                    object.remove(name);
                } else {
                    object.set(name, value(fuzz));
                }
            }
        }
        return JSON.writeValueAsBytes(root);
    }

    private static JsonNode value(FuzzedDataProvider fuzz) {
        return switch (fuzz.consumeInt(0, 6)) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.booleanNode(fuzz.consumeBoolean());
            case 2 -> NODES.numberNode(fuzz.consumeLong());
            case 3 -> NODES.numberNode(BigDecimal.valueOf(fuzz.consumeLong(), fuzz.consumeInt(-40, 40)));
            case 4 -> NODES.arrayNode();
            case 5 -> NODES.objectNode();
            default -> NODES.textNode(fuzz.consumeString(40));
        };
    }

    private static void collect(JsonNode node, List<JsonNode> containers) {
        if (node.isContainerNode() && !node.isEmpty()) {
            containers.add(node);
            node.forEach(child -> collect(child, containers));
        }
    }
}
