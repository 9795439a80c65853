package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Rate;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows in another form, and only what changed, through the same checks of the description as every response. */
class LatestFormsTest extends SiteFixture {
    /** The fields that a whole row has only where they are true. */
    private static final Set<String> FLAGS = Set.of("stale", "asset_class_by_asset");

    private static String text(SiteResponse response) {
        return new String(bytes(response), StandardCharsets.UTF_8);
    }

    private static String tag(SiteResponse response) {
        return response.headers().get("ETag").replaceAll("\"|-[a-z]+", "");
    }

    @Test
    void columnsHaveTheFieldsOfRows() throws IOException {
        JsonNode plain = json("/api/v1/latest");
        JsonNode columns = json("/api/v1/latest?layout=columns&fields=asset,funding_rate_8h");
        assertEquals(
                "[\"venue\",\"symbol\",\"asset\",\"funding_rate_8h\"]",
                columns.path("columns").toString());
        assertEquals(plain.path("rows").size(), columns.path("rows_matched").asInt());
        for (int i = 0; i < plain.path("rows").size(); i++) {
            JsonNode row = plain.path("rows").get(i);
            JsonNode values = columns.path("rows").get(i);
            assertEquals(
                    List.of(row.path("venue"), row.path("symbol"), row.path("asset"), row.path("funding_rate_8h")),
                    List.of(values.get(0), values.get(1), values.get(2), values.get(3)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"layout=columns", "numbers=text", "layout=columns&numbers=text"})
    void formsRecomputeToThePlainList(String form) throws IOException {
        String plain = text(get("/api/v1/latest?venues=all"));
        JsonNode formed = JSON.readTree(bytes(get("/api/v1/latest?venues=all&" + form)));
        var rows = new ArrayList<String>();
        for (JsonNode row : formed.path("rows")) {
            var members = new ArrayList<String>();
            for (String name : EncodedRow.COLUMNS.fields().names()) {
                JsonNode value = member(formed.path("columns"), row, name);
                if (value != null && !(FLAGS.contains(name) && value.isNull())) {
                    members.add('"' + name + "\":" + plain(name, value));
                }
            }
            rows.add('{' + String.join(",", members) + '}');
        }
        assertEquals(5, rows.size());
        assertEquals(
                plain, plain.substring(0, plain.indexOf("\"rows\":[")) + "\"rows\":[" + String.join(",", rows) + "]}");
    }

    private static JsonNode member(JsonNode columns, JsonNode row, String name) {
        if (row.isObject()) {
            return row.get(name);
        }
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).asText().equals(name)) {
                return row.get(i);
            }
        }
        return null;
    }

    /** A value as a plain row has it: a number without quotes. */
    private static String plain(String name, JsonNode value) {
        if (value.isBigDecimal()) {
            return value.decimalValue().toPlainString();
        }
        boolean number =
                value.isTextual() && EncodedRow.COLUMNS.fields().numeric().contains(name);
        return number ? value.asText() : value.toString();
    }

    @Test
    void limitCountsWhatItLeavesOut() throws IOException {
        JsonNode response = json("/api/v1/latest?order=-observed_at_ms&limit=1");
        facts(response, "/rows/1 none\n/meta/row_count 1\n/rows_matched 4\n/meta/coverage 2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fields=rate            | funding_rate_8h",
                "since=latest           | one tag",
            })
    void unreadableFormsAreNamed(String query, String words) throws IOException {
        JsonNode body = json("/api/v1/latest?" + query);
        facts(body, "/status \"unreadable\"");
        assertTrue(body.path("reason").asText().contains(words), body::toString);
    }

    @Test
    void metaIsAboutTheFieldsReturned() throws IOException {
        JsonNode response = json("/api/v1/latest?fields=mark_price&order=funding_rate_8h");
        UnitsWalk.check(response);
        JsonNode units = response.path("meta").path("units");
        assertTrue(units.has("mark_price") && units.has("rows_matched") && units.has("coverage"));
        assertFalse(units.has("index_price") || units.has("funding_rate_8h"));
        assertEquals(
                List.of("no_rate 2", "removed_too_old 1", "funding_rate_8h_not_known 1", "mark_price_not_published 1"),
                counts(response));
        assertEquals(
                List.of("no_rate 2", "removed_too_old 1", "next_funding_not_published 1"),
                counts(json("/api/v1/latest?assets=X&fields=next_funding_ms")));
    }

    private static List<String> counts(JsonNode response) {
        var counts = new ArrayList<String>();
        response.at("/meta/missing/symbols")
                .forEach(left -> counts.add(left.path("reason").asText() + " "
                        + left.path("count").asText() + left.path("venues").asText()));
        return counts;
    }

    @Test
    void reasonsHaveTheSumsOfTheVenues() throws IOException {
        Snapshot snapshot = snapshot(
                NOW,
                List.of(
                        Samples.bare("okx", "A", "A", NOW),
                        Samples.bare("okx", "B", "B", NOW),
                        Samples.bare("gate", "A", "A", NOW)),
                statuses());
        JsonNode plain = json("/api/v1/latest", snapshot);
        JsonNode grouped = json("/api/v1/latest?missing=reasons", snapshot);
        UnitsWalk.check(grouped);
        String symbols = grouped.at("/meta/missing/symbols").toString();
        assertTrue(
                symbols.startsWith("[{\"reason\":\"asset_class_not_published\",\"count\":3,\"venues\":2},"), symbols);
        assertTrue(symbols.endsWith(",{\"reason\":\"no_rate\",\"count\":2,\"venues\":1}]"), "the most frequent first");
        for (JsonNode reason : grouped.at("/meta/missing/symbols")) {
            List<JsonNode> left = StreamSupport.stream(
                            plain.at("/meta/missing/symbols").spliterator(), false)
                    .filter(one -> one.path("reason").equals(reason.path("reason")))
                    .toList();
            assertEquals(left.size(), reason.path("venues").asInt());
            assertEquals(
                    left.stream().mapToInt(one -> one.path("count").asInt()).sum(),
                    reason.path("count").asInt());
        }
        var names = new TreeMap<String, String>();
        grouped.at("/meta/missing/venues")
                .forEach(absent -> texts(absent.path("names"))
                        .forEach(name -> names.put(name, absent.path("reason").asText())));
        JsonNode absent = plain.at("/meta/missing/venues");
        assertEquals(texts(absent, "venue"), List.copyOf(names.keySet()));
        assertEquals(texts(absent, "reason"), List.copyOf(names.values()));
        assertEquals(plain.path("rows"), grouped.path("rows"));
    }

    /** A row whose rate falls below the least one is gone; one that rises to it is new. */
    @Test
    void changesOfSelectedRowsFollowTheirValues() throws IOException {
        Snapshot first = snapshot(NOW, List.of(of("A", "0.002"), of("B", "0.0001"), of("C", "0.002")), Map.of());
        String query = "/api/v1/latest?min_abs_funding_rate_8h=0.001&fields=funding_rate_8h";
        String tag = json(query, first).at("/meta/tag").asText();
        Snapshot second =
                following(first, NOW + 5_000, List.of(of("A", "0.0009"), of("B", "-0.001"), of("C", "0.002")));
        JsonNode delta = json(responses(request("GET", query + "&since=" + tag), second));
        assertTrue(delta.path("delta").asBoolean());
        assertEquals(List.of("okx B"), symbols(delta));
        assertEquals(
                "[{\"venue\":\"okx\",\"symbol\":\"A\"}]", delta.path("gone").toString());
        JsonNode other = json(responses(request("GET", query.replace("0.001", "0.01") + "&since=" + tag), second));
        assertFalse(other.path("delta").asBoolean(), "the tag is that of another selection");
    }

    private static Rate of(String symbol, String rate8h) {
        return Rate.CODEC.with(Samples.rate("okx", symbol, symbol, NOW), "funding_rate_8h", new BigDecimal(rate8h));
    }

    @Test
    void unknownTagGivesTheWholeList() throws IOException {
        Snapshot snapshot = snapshot();
        Site.Decision decision =
                site.decide(request("GET", "/api/v1/latest?since=0f1e2d3c4b5a69788796a5b4c3d2e1f0"), snapshot);
        assertFalse(decision.rendered(), "it is the list that is prepared");
        SiteResponse whole = responses(request("GET", "/api/v1/latest"), snapshot);
        assertArrayEquals(bytes(whole), bytes(decision.response().get()));
        assertFalse(json(whole).has("delta"));
        JsonNode unchanged = json(responses(
                request(
                        "GET",
                        "/api/v1/latest?since=" + json(whole).at("/meta/tag").asText()),
                snapshot));
        assertTrue(unchanged.path("delta").asBoolean());
        assertEquals(0, unchanged.path("rows").size());
        assertEquals(4, unchanged.path("meta").path("row_count").asInt());
    }

    /** One client may name as many sets of exchanges as it likes. */
    @Test
    void otherScopesDoNotDisplaceTheWholeList() throws IOException {
        Snapshot snapshot = snapshot();
        String tag = tag(responses(request("GET", "/api/v1/latest"), snapshot));
        List<String> venues = ListedVenue.ALL.stream().map(ListedVenue::id).toList();
        for (int i = 0; i < venues.size(); i++) {
            for (int j = 0; j < i; j++) {
                responses(request("GET", "/api/v1/latest?venues=" + venues.get(i) + ',' + venues.get(j)), snapshot);
            }
        }
        JsonNode response = json("/api/v1/latest?since=" + tag, snapshot);
        assertTrue(response.path("delta").asBoolean());
    }

    @Test
    void knownListsAreThoseOfTheSite() throws IOException {
        var tags = new ArrayList<String>();
        tags.add(tag(get("/api/v1/latest?venues=all")));
        tags.add('"' + tags.getFirst() + "-gzip\"");
        for (String tag : tags) {
            JsonNode response = json(get("/api/v1/latest?venues=all&since=" + tag.replace("\"", "%22")));
            assertTrue(response.path("delta").asBoolean(), tag);
        }
    }
}
