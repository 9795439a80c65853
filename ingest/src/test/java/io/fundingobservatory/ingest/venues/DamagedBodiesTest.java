package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.poll.RecordedResponses;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.Quote;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever stands where something else was expected, a reader throws nothing: the row is left out and counted, its neighbours are
 * read. Every damage comes from a seed, which the failure names.
 */
class DamagedBodiesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long READ_AT = 1_790_000_000_000L;
    private static final int SEEDS = Integer.getInteger("observatory.damage.seeds", 40);

    /** Marks a member name so that the text contains the member twice, which a tree cannot hold. */
    private static final String AGAIN = "-again-";

    private static final List<String> ODD = List.of(
            "null",
            "\"\"",
            "\" \"",
            "0",
            "-1",
            "\"abc\"",
            "\"NaN\"",
            "[]",
            "{}",
            "[[]]",
            "true",
            "1e400",
            "9223372036854775807",
            "\"-\"",
            "\"_\"",
            "\"USDT\"",
            "\"-0.0001\"",
            "999999999999999999999999999999999999999999999",
            "0.00000000000000000000000000000000000000000001",
            "\"2026-13-45T99:00:00Z\"",
            "\"+1000000000-01-01T00:00:00Z\"",
            "[null]",
            "{\"symbol\":null}");

    static Stream<Venue> venues() {
        return Registry.all().stream();
    }

    @ParameterizedTest
    @MethodSource("venues")
    void aReaderThrowsNothing(Venue venue, @TempDir Path damaged) throws IOException {
        List<Path> bodies = bodies(venue);
        for (Path body : bodies) {
            Files.copy(body, damaged.resolve(body.getFileName()));
        }
        for (long seed = 1; seed <= SEEDS; seed++) {
            var random = new Random(seed);
            Path whole = bodies.get(random.nextInt(bodies.size()));
            Path hit = damaged.resolve(whole.getFileName());
            Files.write(hit, damage(Files.readAllBytes(whole), random));
            try {
                var rows = new Rows(venue.spec(), READ_AT);
                venue.read(RecordedResponses.responses(venue, damaged, READ_AT, new HashMap<>()), rows);
                for (Quote quote : rows.quotes()) {
                    Quote.CODEC.decode(Quote.CODEC.encode(quote));
                }
                rows.skipped()
                        .forEach(skip ->
                                assertTrue(skip.reason().toString().matches("[a-z0-9_A-Z]{3,60}"), skip::toString));
                if (venue.spec().history() != null) {
                    venue.readHistory(
                            JsonValue.parse(Files.readAllBytes(hit)), new Settlements(venue.spec(), "X", READ_AT));
                }
            } catch (Skip refused) {
                // a member that joins rows occurs twice and differs: the whole poll is rejected
                assertEquals(
                        Skip.CONTRADICTED, refused.reason(), () -> venue.spec().id() + " seed " + hit);
            } catch (RuntimeException | MalformedRecord e) {
                fail(venue.spec().id() + " " + hit.getFileName() + " seed " + seed + ": " + Files.readString(hit), e);
            }
            Files.copy(whole, hit, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** The same for the pages of its settled history. */
    @ParameterizedTest
    @MethodSource("venues")
    void aReaderOfHistoryThrowsNothing(Venue venue) throws IOException {
        assumeTrue(venue.spec().history() != null, "its settled history is not read");
        JsonNode expected =
                JSON.readTree(Instances.bodies(venue).resolve("expected.json").toFile());
        byte[] whole =
                JSON.writeValueAsBytes(expected.get("history").get("pages").get(0));
        for (long seed = 1; seed <= SEEDS; seed++) {
            byte[] damaged = damage(whole, new Random(seed));
            var settlements = new Settlements(venue.spec(), "X", READ_AT);
            try {
                venue.readHistory(JsonValue.parse(damaged), settlements);
            } catch (Skip refused) {
                assertEquals(Skip.CONTRADICTED, refused.reason(), "seed " + seed);
            } catch (RuntimeException e) {
                fail(venue.spec().id() + " seed " + seed + ": " + new String(damaged, StandardCharsets.UTF_8), e);
            }
            settlements.settled().forEach(s -> assertTrue(s.settledMs() <= READ_AT, s::toString));
        }
    }

    private static List<Path> bodies(Venue venue) throws IOException {
        try (var files = Files.list(Instances.bodies(venue))) {
            return files.filter(f -> !f.endsWith("expected.json")).sorted().toList();
        }
    }

    /** Replaces or removes one to three nodes anywhere in the document. */
    private static byte[] damage(byte[] body, Random random) throws IOException {
        JsonNode root = JSON.readTree(body);
        for (int times = 1 + random.nextInt(3); times > 0; times--) {
            var containers = new ArrayList<JsonNode>();
            collect(root, containers);
            if (containers.isEmpty()) {
                return JSON.writeValueAsBytes(root);
            }
            JsonNode odd = JSON.readTree(ODD.get(random.nextInt(ODD.size())));
            JsonNode container = containers.get(random.nextInt(containers.size()));
            int position = random.nextInt(container.size());
            if (container instanceof ArrayNode array) {
                switch (random.nextInt(4)) {
                    case 0 -> array.remove(position);
                    case 1 -> array.insert(position, array.get(position).deepCopy());
                    default -> array.set(position, odd);
                }
            } else if (container instanceof ObjectNode object) {
                String name = object.properties().stream()
                        .skip(position)
                        .findFirst()
                        .orElseThrow()
                        .getKey();
                switch (random.nextInt(5)) {
                    case 0 -> object.remove(name);
                    case 1 -> object.set(name + AGAIN, odd);
                    case 2 -> object.set(name + AGAIN, object.get(name).deepCopy());
                    default -> object.set(name, odd);
                }
            }
        }
        return JSON.writeValueAsString(root).replace(AGAIN, "").getBytes(StandardCharsets.UTF_8);
    }

    private static void collect(JsonNode node, List<JsonNode> containers) {
        if (node.isContainerNode() && !node.isEmpty()) {
            containers.add(node);
            node.forEach(child -> collect(child, containers));
        }
    }
}
