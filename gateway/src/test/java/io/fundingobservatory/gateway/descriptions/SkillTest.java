package io.fundingobservatory.gateway.descriptions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.gateway.PageFiles;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.core.site.Described;
import io.fundingobservatory.gateway.core.site.Routed;
import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.core.site.UnitsWalk;
import io.fundingobservatory.gateway.core.snapshot.PairRanking;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshots;
import io.fundingobservatory.gateway.traffic.StandardLimits;
import io.fundingobservatory.testbed.Checkout;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.json.DeclaredField;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The skill as it is served: its front matter, its length, and its requests, sent to the site that serves it. */
class SkillTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long NOW = 1_790_000_000_000L;
    private static final String ENDPOINT = "/skills/funding-rates/SKILL.md";
    private static final Pattern ENDPOINT_IN_TEXT = Pattern.compile("`(\\{base}/[^`]+|\\{api}[^`]*)`");
    private static final Pattern SELECTION = Pattern.compile("`([a-z_0-9]+=[^`]+)`");

    private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");

    /** What the whole file takes of an agent's context at most. */
    private static final int TOKENS = 2_000;

    private static final double BYTES_PER_TOKEN = 3.5;

    private final Site site = new Site(PageFiles.load(), NOW, StandardLimits.STANDARD, () -> "");
    private final Snapshot snapshot = snapshot(NOW);

    private static Snapshot snapshot(long now) {
        List<Rate> rows = List.of(
                Samples.rate("binance", "BTCUSDT", "BTC", now),
                Samples.rate("okx", "BTC-USDT-SWAP", "BTC", now),
                Samples.bare("okx", "BTC-USDC-SWAP", "BTC", now),
                Samples.rate("binance", "ETHUSDT", "ETH", now),
                Samples.rate("okx", "ETH-USDT-SWAP", "ETH", now));
        Map<String, VenueRows> fragments = Snapshots.rows(rows, now);
        var statuses = new HashMap<String, VenueStatus>();
        ListedVenue.ALL.forEach(venue -> statuses.put(
                venue.id(),
                fragments.containsKey(venue.id())
                        ? Samples.read(venue.id(), now, 2, Map.of())
                        : Samples.failed(venue.id(), now, null, "HTTP 403")));
        var pair = Samples.pair(
                Samples.leg("binance", "BTCUSDT", "0.001", 0, now),
                Samples.leg("okx", "BTC-USDT-SWAP", "0.0035", 0, now),
                30,
                null);
        var beingRead = Samples.pair(
                Samples.leg("binance", "BTCUSDT", "0.001", 0, now),
                Samples.leg("okx", "BTC-USDC-SWAP", "0.002", 0, now),
                12,
                "gap");
        var unpublished = Samples.pair(
                Samples.leg("binance", "BTCUSDT", "0.001", 0, now),
                Samples.leg("paradex", "BTC-USD-PERP", "0.002", 0, now),
                12,
                "service_started");
        var twoCoins =
                new CarryRefusal("binance", "ETHUSDT", BigDecimal.TEN, "okx", "ETH-USDT-SWAP", null, "price_differs");
        PairRanking book = Samples.ranking(List.of(
                Samples.table("BTC", now, List.of(pair, beingRead, unpublished), List.of()),
                Samples.table("ETH", now, List.of(), List.of(twoCoins))));
        return Snapshots.of(now, now, fragments, statuses, Map.of(), book);
    }

    private SiteResponse get(String address, Snapshot from, List<String> tags) {
        SiteResponse response = Routed.response(site, Routed.request("GET", address, tags, List.of(), NOW), from);
        Described.check("GET", address, response);
        return response;
    }

    private static String text(SiteResponse response) {
        var out = new ByteArrayOutputStream();
        Routed.pieces(response).forEach(out::writeBytes);
        return out.toString(StandardCharsets.UTF_8);
    }

    private String skill() {
        return text(get(ENDPOINT, snapshot, List.of()));
    }

    @Test
    void theFrontMatterObeysTheSpecification() throws IOException {
        JsonNode front = FrontMatter.of(skill());
        var keys = new ArrayList<String>();
        front.fieldNames().forEachRemaining(keys::add);
        assertTrue(
                Set.of("name", "description", "license", "compatibility", "metadata", "allowed-tools")
                        .containsAll(keys),
                keys.toString());
        String name = front.path("name").asText();
        assertTrue(name.matches("[a-z0-9]+(-[a-z0-9]+)*") && name.length() <= 64, name);
        assertEquals("/skills/" + name + "/SKILL.md", ENDPOINT, "the name is the folder's");
        int description = front.path("description").asText().length();
        assertTrue(description >= 1 && description <= 1_024, description + " characters");
        assertTrue(front.path("compatibility").asText().length() <= 500);
        front.path("metadata").forEach(value -> assertTrue(value.isTextual(), value.toString()));
    }

    @Test
    void isShortAndContainsEveryRule() {
        String skill = skill();
        int bytes = skill.getBytes(StandardCharsets.UTF_8).length;
        assertTrue(bytes <= BYTES_PER_TOKEN * TOKENS, bytes + " bytes");
        for (String rule : List.of(
                "Never convert `funding_rate_8h` again",
                "Join exchanges on `asset`",
                "Relay the units",
                "Relay what is missing",
                "Never present simulated or replayed",
                "For all exchanges: `venues=all`",
                "Never send one request per coin over many coins",
                "Observation, not advice")) {
            assertTrue(skill.contains(rule), rule);
        }
    }

    /** The skill names each field that the record declares, but for venue and symbol. Its table has all words of a field or none. */
    @Test
    void fieldsAreThoseOfARow() {
        String skill = skill();
        String table = skill.substring(skill.indexOf("## Fields of `latest`"), skill.indexOf("## Pairs of `carry`"));
        var unknown = new TreeSet<String>();
        table.lines().filter(line -> line.startsWith("| `")).forEach(row -> unknown.addAll(names(row.split("\\|")[1])));
        assertTrue(unknown.size() > 10, unknown.toString());
        unknown.removeAll(EncodedRow.COLUMNS.fields().names());
        assertEquals(Set.of(), unknown, "not fields of a row");

        Set<String> named = names(skill);
        var missing = new TreeSet<String>();
        for (DeclaredField<Rate> field : Rate.CODEC.fields()) {
            boolean identifies = field.name().equals("venue") || field.name().equals("symbol");
            if (!identifies && !named.contains(field.name())) {
                missing.add(field.name());
            }
            Set<String> words = words(field.type());
            Set<String> written = new TreeSet<>(names(table));
            written.retainAll(words);
            if (!written.isEmpty() && !written.equals(words)) {
                missing.add(field.name() + ": " + words);
            }
        }
        assertEquals(Set.of(), missing, "not in the skill");
    }

    /** The words of a field that is an enumeration; none for another. */
    private static Set<String> words(Class<?> type) {
        return !type.isEnum()
                ? Set.of()
                : Stream.of(type.getEnumConstants())
                        .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What is written as code, each name of it. */
    private static Set<String> names(String text) {
        return CODE.matcher(text)
                .results()
                .flatMap(code -> Stream.of(code.group(1).split("[^a-z0-9_]+")))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyEndpointIsServed() throws IOException {
        int forms = 0;
        Matcher endpoints = ENDPOINT_IN_TEXT.matcher(skill());
        while (endpoints.find()) {
            String endpoint = endpoint(endpoints.group(1));
            SiteResponse response = get(endpoint, snapshot, List.of());
            assertEquals(endpoint.endsWith("/history") ? 501 : 200, response.status(), endpoint);
            JsonNode json = JSON.readTree(text(response));
            if (endpoint.contains("?")) {
                forms++;
                assertFalse(json.path("meta").has("unreadable_venues"), endpoint);
            }
            hasFields(endpoint, json);
            if (endpoint.contains("layout=columns")) {
                int fields = json.path("columns").size();
                assertTrue(fields > 2, endpoint);
                json.path("rows").forEach(row -> assertEquals(fields, row.size(), endpoint));
            } else if (endpoint.startsWith("/api/")) {
                UnitsWalk.check(json);
            }
        }
        assertEquals(10, forms);
    }

    private static List<String> fields(String endpoint) {
        Matcher fields = Pattern.compile("[?&]fields=([^&]+)").matcher(endpoint);
        return fields.find() ? List.of(fields.group(1).split(",")) : List.of();
    }

    /** Every field that a request names is in a list of the response. */
    private static void hasFields(String endpoint, JsonNode json) {
        var columns = new ArrayList<String>();
        for (String list : List.of("columns", "incomplete_columns", "refused_columns")) {
            json.path(list).forEach(name -> columns.add(name.asText()));
        }
        for (String field : fields(endpoint)) {
            String path = '/' + field.replace('.', '/');
            boolean inRow = List.of("rows", "incomplete").stream()
                    .anyMatch(list -> !json.path(list).path(0).at(path).isMissingNode());
            assertTrue(columns.contains(field) || inRow, field + " of " + endpoint);
        }
    }

    /** What the text writes as code is a member, a word, a parameter or a path of the service in this release. */
    @Test
    void everyNameIsOneOfTheService() throws IOException {
        String skill = skill();
        var served = new TreeSet<String>(List.of("base", "api", "release", "true", "false", "symbol", "BTC", "PERP"));
        for (String endpoint : List.of(
                "/api/v1/latest?venues=all",
                "/api/v1/latest?assets=bitcoin&venues=okex,okx&missing=reasons&since=" + "0".repeat(32),
                "/api/v1/carry?venues=all",
                "/api/v1/venues?venues=okx",
                "/api/v1",
                "/api/v1/history",
                "/openapi.yaml")) {
            served.addAll(words(text(get(endpoint, snapshot, List.of()))));
        }
        Matcher codes = Pattern.compile("`([^`]+)`").matcher(skill.substring(skill.indexOf("# Funding")));
        while (codes.find()) {
            String code = codes.group(1).replace("unreadable_*", "unreadable_venues");
            var unknown = new TreeSet<>(words(code.replaceAll("[?&=/.]", " ")));
            unknown.removeAll(served);
            unknown.removeIf(
                    word -> word.matches("[0-9].*|ETH|SOL|PEPE|1000PEPEUSDT|skills|index|json|well|known|agent|md"));
            assertEquals(Set.of(), unknown, code);
        }
    }

    private static List<String> words(String text) {
        return Pattern.compile("[A-Za-z0-9_]+")
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .toList();
    }

    private static String endpoint(String inText) {
        return inText.replace("{base}", "").replace("{api}", "/api/v1");
    }

    /** What the text names outside the requests, such as {@code min_positive_days=27}, is a parameter of a list. */
    @Test
    void everyParameterIsTaken() {
        Matcher parameters = SELECTION.matcher(skill());
        var taken = new ArrayList<String>();
        while (parameters.find()) {
            String parameter = parameters.group(1);
            assertTrue(
                    List.of("latest", "carry").stream()
                            .anyMatch(list -> get("/api/v1/" + list + '?' + parameter, snapshot, List.of())
                                            .status()
                                    == 200),
                    parameter);
            taken.add(parameter.split("=")[0]);
        }
        assertTrue(taken.containsAll(List.of(
                "venues",
                "assets",
                "asset_class",
                "min_abs_funding_rate_8h",
                "settles_before_ms",
                "min_positive_days")));
    }

    @Test
    void responsesContainPairAndRatesOfQuestion() throws IOException {
        JsonNode highest = JSON.readTree(text(get(request("highest and lowest rate of a coin"), snapshot, List.of())));
        assertEquals(
                "[\"binance\",\"ETHUSDT\",1.0E-4,\"estimate\"]",
                highest.at("/rows/0").toString());
        JsonNode pairs = JSON.readTree(text(get(request("pairs that differed most in 30 days"), snapshot, List.of())));
        assertEquals(
                "[\"BTC\",\"binance\",\"BTCUSDT\",\"okx\",\"BTC-USDT-SWAP\",0.0025,15]",
                pairs.at("/rows/0").toString());
    }

    private String request(String question) {
        Matcher row = Pattern.compile(Pattern.quote("| " + question + " | `") + "([^`]+)`")
                .matcher(skill());
        assertTrue(row.find(), question);
        return endpoint(row.group(1));
    }

    @Test
    void trialQuestionsMatchPage() throws IOException {
        JsonNode evals = JSON.readTree(
                java.nio.file.Files.readString(Checkout.ROOT.resolve("skills/funding-rates/evals/evals.json")));
        assertEquals("funding-rates", evals.path("skill_name").asText());
        String page = java.nio.file.Files.readString(Checkout.ROOT.resolve("docs/agents.md"));
        assertEquals(10, evals.path("evals").size());
        for (JsonNode eval : evals.path("evals")) {
            String title = "### " + eval.path("id").asInt() + ". "
                    + eval.path("prompt").asText() + "\n";
            assertTrue(page.contains(title), title);
            assertTrue(eval.path("assertions").size() > 1, title);
            assertFalse(eval.path("expected_output").asText().isBlank(), title);
        }
    }
}
