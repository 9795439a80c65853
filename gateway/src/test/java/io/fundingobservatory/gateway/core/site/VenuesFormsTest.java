package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.topics.ListedVenue;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The venues in another form, through the same checks of the description as every response. */
class VenuesFormsTest extends SiteFixture {
    @Test
    void namesNarrow() throws IOException {
        JsonNode plain = json("/api/v1/venues");
        JsonNode named = json("/api/v1/venues?venues=okx,BYBIT,okex");
        UnitsWalk.check(named);
        assertEquals(List.of("bybit", "okx"), texts(named.path("rows"), "venue"));
        facts(named, """
                /meta/coverage 1
                /meta/row_count 2
                /meta/unreadable_venues ["okex"]
                /meta/did_you_mean/0/use "venues=okx"
                /meta/missing/venues/0/venue "bybit"
                /meta/missing/venues/1 none
                """);
        facts(plain, "/meta/scope none");
        plain.path("rows")
                .forEach(row -> named.path("rows").forEach(other -> {
                    if (row.path("venue").equals(other.path("venue"))) {
                        assertEquals(row, other);
                    }
                }));
    }

    @Test
    void fieldsAreColumnsOfEveryVenue() throws IOException {
        JsonNode response = json("/api/v1/venues?fields=reason,in_current_observation&layout=columns&missing=reasons");
        UnitsWalk.check(response);
        assertEquals(List.of("venue", "in_current_observation", "reason"), texts(response.path("columns")));
        assertEquals(ListedVenue.ALL.size(), response.path("rows").size());
        assertEquals(ListedVenue.ALL.size(), response.path("rows_matched").asInt());
        // No note on fields that are not there.
        facts(response, "/meta/units/age_p50_s none\n/meta/missing/values none");
        assertFalse(response.at("/meta/missing/symbols").toString().contains("mark_price"), "nor on rates");
        assertTrue(response.at("/meta/missing/symbols")
                .toString()
                .contains("{\"reason\":\"no_rate\",\"count\":2,\"venues\":1}"));
    }

    @Test
    void otherTablesOfOneSnapshotAreApart() {
        Snapshot snapshot = snapshot();
        String query = "?venues=okx&limit=3";
        SiteResponse rates = responses(request("GET", "/api/v1/latest" + query), snapshot);
        SiteResponse venues = responses(request("GET", "/api/v1/venues" + query), snapshot);
        assertNotEquals(rates.headers().get("ETag"), venues.headers().get("ETag"));
    }

    @Test
    void intervalsBringTheirUnits() throws IOException {
        JsonNode response = json("/api/v1/venues?venues=okx&fields=symbols_by_interval_h");
        UnitsWalk.check(response);
        assertEquals(2, response.at("/rows/0/symbols_by_interval_h").size());
    }

    @Test
    void intervalsAreTextInItsForm() throws IOException {
        facts(json("/api/v1/venues?venues=okx&fields=symbols_by_interval_h&numbers=text"), """
                /rows/0/symbols_by_interval_h [{"funding_interval_h":"4","symbols":1},{"funding_interval_h":null,"symbols":1}]
                """);
    }

    @Test
    void orderAndLimitChoose() throws IOException {
        JsonNode response = json("/api/v1/venues?order=-symbols&limit=2&numbers=text&fields=symbols,age_p95_s");
        assertEquals(List.of("binance", "okx"), texts(response.path("rows"), "venue"));
        facts(response, "/rows/1/age_p95_s \"180.000\"\n/meta/row_count 2");
    }

    @Test
    void unlistedNamesAloneGiveNoRows() throws IOException {
        facts(json("/api/v1/venues?venues=nobody"), "/rows []\n/meta/missing/values/0/field \"rows\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fields=rate         | in_current_observation",
                "order=reason        | age_p95_s",
                "missing=all         | venues or reasons",
                "assets=BTC          | not known here",
            })
    void unreadableFormsAreNamed(String query, String words) throws IOException {
        SiteResponse response = get("/api/v1/venues?" + query);
        assertEquals(400, response.status());
        assertTrue(json(response).path("reason").asText().contains(words));
        assertEquals(
                1,
                site.decide(request("GET", "/api/v1/venues?" + query), snapshot())
                        .points());
    }

    @Test
    void eachFormHasOwnCostAndTag() {
        SiteResponse plain = get("/api/v1/venues");
        String tag = plain.headers().get("ETag");
        assertEquals(304, get("/api/v1/venues", tag).status());
        assertEquals(200, get("/api/v1/venues?fields=reason", tag).status());
        assertEquals(
                1,
                site.decide(request("GET", "/api/v1/venues?fields=reason", tag), snapshot())
                        .points());
    }
}
