package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Four prices, known before anything is searched. */
class RequestPricingTest extends SiteFixture {
    private int points(String address, Snapshot snapshot) {
        return site.decide(request("GET", address), snapshot).points();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/api/v1/latest | 6",
                "/api/v1/latest?venues=all | 6",
                "/api/v1/latest?venues=aLL,okx | 6",
                "/api/v1/latest?venues=all&limit=10 | 6",
                "/api/v1/latest?layout=columns | 6",
                "/api/v1/latest?asset_class=equity | 6",
                "/api/v1/latest?since=00000000000000000000000000000000 | 6",
                "/api/v1/latest?venues=okx | 3",
                "/api/v1/latest?venues=okx,gate&limit=10 | 3",
                "/api/v1/latest?assets=A,B,C,D,E,F,G,H,I,J&symbols=K | 3",
                "/api/v1/latest?assets=A,B,C,D,E,F,G,H,I,J | 1",
                "/api/v1/latest?assets=BTC&venues=all&order=-mark_price | 1",
                "/api/v1 | 1",
                "/api/v1/venues | 1",
                "/api/v1/history | 1",
                "/api/v1/latest?x=1 | 1",
                "/api/v1/latest?order=x | 1",
                "/nowhere | 1",
                "/ | 0",
                "/manifest.json | 0",
                "/skills/funding-rates/SKILL.md | 0",
                "/api/v1/carry | 0"
            })
    void everyRequestHasOneOfFourPrices(String address, int points) {
        assertEquals(points, points(address, snapshot()));
        assertEquals(points, site.decide(request("HEAD", address), snapshot()).points());
        for (String method : List.of("OPTIONS", "POST", "DELETE")) {
            assertEquals(1, site.decide(request(method, address), snapshot()).points(), method);
        }
    }

    @ParameterizedTest
    @CsvSource({"'',3", "?assets=BTC,3", "?limit=1000,3", "?order=-current_difference_8h,6", "?order=x,1"})
    void pairsCostThreeAndOrderedOnesSix(String query, int points) {
        assertEquals(points, points("/api/v1/carry" + query, CarryTest.snapshot(CarryTest.tables())));
    }

    @Test
    void knownSinceCostsOne() {
        Snapshot first = snapshot();
        String tag =
                responses(request("GET", "/api/v1/latest"), first).headers().get("ETag");
        String known = "/api/v1/latest?since=" + tag.replace("\"", "");
        assertEquals(1, points(known, first));
        assertEquals(1, points(known, following(first, NOW + 5_000, List.of(Samples.rate("okx", "S", "A", NOW)))));
        assertEquals(6, points(known + "&venues=all", first), "another scope");
    }

    /** What a snapshot has made is found before the router; the first request for it is rendered. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1",
                "/api/v1/venues",
                "/api/v1/latest?venues=okx,lbank",
                "/api/v1/latest?assets=BTC",
                "/api/v1/latest?layout=columns",
                "/api/v1/latest?venues=all&order=-funding_rate_8h&limit=3"
            })
    void whatWasMadeOnceIsPrepared(String address) {
        Snapshot snapshot = snapshot();
        assertTrue(decided(snapshot, address, "gzip").rendered());
        SiteResponse made = responses(request("GET", address, "gzip"), snapshot);
        Site.Decision again = decided(snapshot, address, "gzip");
        assertFalse(again.rendered());
        assertEquals(made.headers(), again.response().get().headers());
        assertSame(made.body().getFirst(), again.response().get().body().getFirst());
        Site.Decision unchanged =
                decided(snapshot, address, "gzip", made.headers().get("ETag"));
        assertFalse(unchanged.rendered());
        assertEquals(1, unchanged.points());
        assertEquals(304, unchanged.response().get().status());
        Site.Decision other = decided(snapshot, address, "gzip", "\"other\"");
        assertEquals(again.points(), other.points(), "a tag of something else makes no list cheaper");
        assertEquals(200, other.response().get().status());
    }

    private Site.Decision decided(Snapshot snapshot, String address, String... headers) {
        return site.decide(request("GET", address, headers), snapshot);
    }

    private Set<String> names(String method, String address, Snapshot snapshot) {
        return site.decide(request(method, address), snapshot).names().get();
    }

    /** A client that waits for the first snapshot has all its points when it is there. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1",
                "/api/v1/latest",
                "/api/v1/latest?assets=BTC",
                "/api/v1/venues",
                "/api/v1/carry?limit=1000"
            })
    void startingCostsNothing(String address) {
        assertEquals(503, responses(request("GET", address), null).status());
        assertEquals(0, points(address, null));
        assertEquals(Set.of(), names("GET", address, null));
    }

    @Test
    void theWholeListIsPreparedWithTheSnapshot() {
        Snapshot now = snapshot();
        assertFalse(decided(now, "/api/v1/latest").rendered());
        String tag = responses(request("GET", "/api/v1/latest"), now).headers().get("ETag");
        assertEquals(1, site.decide(request("GET", "/api/v1/latest", tag), now).points());
    }

    @Test
    void onlyNamesOfContractsThatFitCount() {
        assertEquals(Set.of(), names("GET", "/api/v1/latest?assets=FOO,BAR&symbols=BAZ", snapshot()));
        assertEquals(Set.of("assets=BTC"), names("GET", "/api/v1/latest?assets=btc,FOO", snapshot()));
        assertEquals(
                Set.of("symbols=BTCUSDT", "assets=BTC"),
                names("HEAD", "/api/v1/latest?symbols=btcusdt&assets=BTC", snapshot()));
        assertEquals(
                Set.of(), names("GET", "/api/v1/carry?assets=BTC", CarryTest.snapshot(CarryTest.tables())), "pairs");
        assertEquals(Set.of(), names("GET", "/api/v1/latest?venues=okx", snapshot()));
        String many = IntStream.range(0, 51).mapToObj(i -> "N" + i).collect(Collectors.joining(","));
        assertEquals(Set.of(), names("GET", "/api/v1/latest?assets=" + many, snapshot()), "400");
        assertEquals(1, points("/api/v1/latest?assets=" + many, snapshot()));
    }
}
