package io.fundingobservatory.gateway.core.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.site.Files;
import io.fundingobservatory.gateway.core.site.Route;
import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteRequest;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.traffic.ClientLimiter.Limits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/**
 * Any query and any conditional header fields get a response of the interface that repeats nothing of the
 * query. A readable query names no venue that is not listed.
 */
@Tag("fuzz")
class QueryFuzzTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long NOW = 1_790_000_000_000L;
    private static final Site SITE =
            new Site(new Files(Map.of()), NOW, new Limits(120, 120, 600, 40, 70, 120, 300, 50, 1 << 20), () -> "");
    private static final Query.Takes TAKES = new Query.Takes(
            Stream.of(
                            List.of("venues", "assets", "symbols", "since", Query.MIN_POSITIVE_DAYS),
                            Selection.PARAMETERS,
                            RowForm.PARAMETERS)
                    .flatMap(List::stream)
                    .toList(),
            EncodedRow.COLUMNS.fields(),
            100,
            10_000);

    /** A target that is none has no path of ours. */
    private static final Set<Integer> STATUSES = Set.of(400, 404, 501, 503);

    @FuzzTest(maxDuration = "1m")
    void respondsToQuery(FuzzedDataProvider fuzz) throws IOException {
        Route route = fuzz.pickValue(Route.values());
        String tag = fuzz.consumeString(60);
        long sinceMs = fuzz.consumeLong();
        String query = fuzz.consumeRemainingAsString();
        SiteRequest request =
                SiteRequest.of("GET", route.path + '?' + query, List.of(tag), sinceMs, List.of("gzip"), NOW);
        Query read = Query.read(query, TAKES);
        if (read.problem() == null) {
            Scope scope = Scope.of(read, asset -> asset.equals("BTC"), symbol -> false);
            assertTrue(Scope.ALL.venues().containsAll(scope.venues()), scope.venues()::toString);
            assertTrue(scope.assets() == null || Set.of("BTC").containsAll(scope.assets()));
            Integer limit = read.form().limit();
            assertTrue(limit == null || (limit >= 1 && limit <= 10_000));
        }
        SiteResponse response = SITE.decide(request, null).response().get();
        assertTrue(STATUSES.contains(response.status()), () -> "status " + response.status());
        var body = new ByteArrayOutputStream();
        response.body().forEach(segment -> body.writeBytes(segment.joined()));
        JsonNode parsed = JSON.readTree(body.toByteArray());
        assertEquals("free", parsed.get("plan").asText());
        assertTrue(parsed.get("reason").asText().matches("[\\x20-\\x7e]{5,1500}"), parsed.get("reason")::asText);
    }
}
