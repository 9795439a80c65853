package io.fundingobservatory.gateway.descriptions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.gateway.PageFiles;
import io.fundingobservatory.gateway.core.pairs.PairRanking;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.core.site.Described;
import io.fundingobservatory.gateway.core.site.Routed;
import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.traffic.Limits;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import net.thisptr.jackson.jq.BuiltinFunctionLoader;
import net.thisptr.jackson.jq.JsonQuery;
import net.thisptr.jackson.jq.Scope;
import net.thisptr.jackson.jq.Versions;
import org.junit.jupiter.api.Test;

/** The skill as it is served: its front matter, its length, and its examples, run against the bytes that are served with it. */
class SkillTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long NOW = 1_790_000_000_000L;
    private static final String ADDRESS = "/skills/funding-rates/SKILL.md";
    private static final Pattern EXAMPLE = Pattern.compile("```sh\n(.*?)\n```", Pattern.DOTALL);
    private static final Pattern FETCH = Pattern.compile("curl -s --compressed '?\\{base}(/[^ ']+)'? -o ([a-z.]+)");
    private static final Pattern FETCH_CHANGED = Pattern.compile(
            "curl -s --compressed -o ([a-z.]+) --etag-compare ([a-z.]+) --etag-save \\2 \\{base}(/[^ ]+)");
    private static final Pattern FILTER = Pattern.compile("jq (-r )?'([^']+)' ([a-z.]+)", Pattern.DOTALL);

    private final Site site = new Site(PageFiles.load(), NOW, Limits.STANDARD);
    private final Snapshot snapshot = snapshot(NOW);

    private static Snapshot snapshot(long now) {
        List<Rate> rows = List.of(
                Samples.rate("binance", "BTCUSDT", "BTC", now),
                Samples.rate("okx", "BTC-USDT-SWAP", "BTC", now),
                Samples.bare("okx", "BTC-USDC-SWAP", "BTC", now),
                Samples.rate("binance", "ETHUSDT", "ETH", now),
                Samples.rate("okx", "ETH-USDT-SWAP", "ETH", now));
        var fragments = new HashMap<String, VenueRows>();
        rows.stream()
                .collect(Collectors.groupingBy(Rate::venue))
                .forEach((venue, held) -> fragments.put(venue, VenueRows.of(venue, held, now)));
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
        PairRanking book = PairRanking.of(List.of(Samples.table("BTC", now, List.of(pair), List.of())));
        return Snapshot.of(now, now, fragments, statuses, Map.of(), book);
    }

    private SiteResponse get(String address, Snapshot from, List<String> tags) {
        SiteResponse answer = Routed.answer(site, Routed.request("GET", address, tags, List.of(), NOW), from);
        Described.check("GET", address, answer);
        return answer;
    }

    private static String text(SiteResponse answer) {
        var out = new ByteArrayOutputStream();
        answer.pieces().forEach(out::writeBytes);
        return out.toString(StandardCharsets.UTF_8);
    }

    private String skill() {
        return text(get(ADDRESS, snapshot, List.of()));
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
        assertEquals("/skills/" + name + "/SKILL.md", ADDRESS, "the name is the folder's");
        int description = front.path("description").asText().length();
        assertTrue(description >= 1 && description <= 1_024, description + " characters");
        assertTrue(front.path("compatibility").asText().length() <= 500);
        front.path("metadata").forEach(value -> assertTrue(value.isTextual(), value.toString()));
    }

    @Test
    void itIsShortAndHoldsTheRulesOfUse() {
        String body = FrontMatter.body(skill());
        int bytes = body.getBytes(StandardCharsets.UTF_8).length;
        // English and code take three to four bytes for a token.
        assertTrue(bytes < 2.7 * 5_000, bytes + " bytes");
        for (String rule : List.of(
                "Fetch the whole list once and filter locally",
                "**For all exchanges:",
                "Never convert `funding_rate_8h` again",
                "Join exchanges on `asset`",
                "Relay the units",
                "Relay what is missing",
                "Never present simulated or replayed",
                "Observation, not advice")) {
            assertTrue(body.contains(rule), rule);
        }
        Matcher addresses = Pattern.compile("\\{base}(/[a-zA-Z0-9/._?=-]+)").matcher(body);
        int found = 0;
        while (addresses.find()) {
            assertEquals(200, get(addresses.group(1), snapshot, List.of()).status(), addresses.group(1));
            found++;
        }
        assertTrue(found >= 6, found + " addresses");
    }

    @Test
    void everyExampleRunsAgainstWhatIsServed() throws Exception {
        var files = new HashMap<String, String>();
        var tags = new HashMap<String, String>();
        var results = new LinkedHashMap<String, List<String>>();
        Matcher examples = EXAMPLE.matcher(skill());
        while (examples.find()) {
            String command = examples.group(1);
            Matcher fetch = FETCH.matcher(command);
            Matcher changed = FETCH_CHANGED.matcher(command);
            Matcher filter = FILTER.matcher(command);
            if (fetch.matches()) {
                files.put(fetch.group(2), text(get(fetch.group(1), snapshot, List.of())));
            } else if (changed.matches()) {
                SiteResponse first = get(changed.group(3), snapshot, List.of());
                tags.put(changed.group(2), first.headers().get("ETag"));
                List<String> tag = List.of(tags.get(changed.group(2)));
                assertEquals(304, get(changed.group(3), snapshot, tag).status());
                assertEquals(
                        200, get(changed.group(3), snapshot(NOW + 1_000), tag).status());
            } else {
                assertTrue(filter.matches(), "neither fetches nor filters: " + command);
                results.put(filter.group(2), run(filter.group(2), files.get(filter.group(3))));
            }
        }
        assertEquals(1, tags.size());
        List<List<String>> each = List.copyOf(results.values());
        assertEquals(6, each.size(), results.keySet().toString());
        JsonNode what = JSON.readTree(each.get(0).getFirst());
        assertEquals(
                "{\"source\":\"live\",\"generated_at_utc\":\"2026-09-21T14:13:20Z\",\"coverage\":2,\"venues_listed\":48,\"row_count\":5,"
                        + "\"scope\":\"default\",\"outside\":24}",
                what.toString());
        assertEquals(
                List.of("binance\tBTCUSDT\testimate\t4\t0.0001", "okx\tBTC-USDT-SWAP\testimate\t4\t0.0001"),
                each.get(1).stream().sorted().toList());
        JsonNode widest = JSON.readTree(each.get(2).getFirst());
        assertEquals("ETHUSDT", widest.at("/lowest/symbol").asText());
        assertEquals(
                0,
                new BigDecimal("0.0001")
                        .compareTo(widest.at("/highest/funding_rate_8h").decimalValue()));
        assertNotEquals("", widest.at("/highest/rate_kind").asText());
        assertEquals(
                "[{\"hours\":null,\"symbols\":1},{\"hours\":4,\"symbols\":2}]",
                each.get(3).getFirst());
        assertEquals(List.of("1\tBTC\tokx\tbinance\t0.0025\t15"), each.get(4));
        assertEquals(
                ListedVenue.ALL.stream().filter(ListedVenue::defaultScope).count() - 2,
                each.get(5).size());
        assertTrue(each.get(5).contains("bybit\tHTTP 403"), each.get(5).toString());
    }

    private static List<String> run(String program, String file) throws IOException {
        Scope scope = Scope.newEmptyScope();
        BuiltinFunctionLoader.getInstance().loadFunctions(Versions.JQ_1_6, scope);
        var lines = new ArrayList<String>();
        JsonQuery.compile(program, Versions.JQ_1_6)
                .apply(
                        scope,
                        JSON.readTree(file),
                        out -> lines.add(out.isTextual() ? plain(out.asText()) : out.toString()));
        return lines;
    }

    /** Each implementation of the language writes numbers in its own way. */
    private static String plain(String line) {
        return Arrays.stream(line.split("\t", -1))
                .map(cell -> cell.matches("-?[0-9.]+([eE][-+]?[0-9]+)?")
                        ? new BigDecimal(cell).stripTrailingZeros().toPlainString()
                        : cell)
                .collect(Collectors.joining("\t"));
    }
}
