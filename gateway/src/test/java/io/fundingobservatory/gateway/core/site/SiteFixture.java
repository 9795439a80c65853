package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshots;
import io.fundingobservatory.gateway.traffic.StandardLimits;
import io.fundingobservatory.topics.records.PollCounts;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RateRequest;
import io.fundingobservatory.topics.records.VenueQuality;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The site over a few files and six rows, and the requests of tests. */
abstract class SiteFixture {
    /** Keeps the digits of every number. */
    static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    static final long NOW = 1_790_000_000_000L;
    private static final long MINUTE = 60_000;
    private static final long DAY = 1_440 * MINUTE;
    private static final PollCounts PRESENT = presentForAMonth();
    static final byte[] SKILL =
            "---\nname: funding-rates\ndescription: rates\n---\n".repeat(40).getBytes(StandardCharsets.UTF_8);

    private static final byte[] CATALOG = served("/served/api-catalog.json");

    static final byte[] SCHEMA =
            "{\"$schema\":\"x\",\"$id\":\"x\",\"title\":\"x\",\"type\":\"object\"}".getBytes(StandardCharsets.UTF_8);

    final Site site = new Site(
            new Files(Map.of(
                    "/",
                    SKILL,
                    "/skills/funding-rates/SKILL.md",
                    SKILL,
                    "/openapi.yaml",
                    SKILL,
                    "/asyncapi.yaml",
                    SKILL,
                    "/llms.txt",
                    SKILL,
                    "/robots.txt",
                    SKILL,
                    "/.well-known/api-catalog",
                    CATALOG,
                    "/schemas/rate-1.json",
                    SCHEMA)),
            NOW - 5_000,
            StandardLimits.STANDARD,
            () -> "");

    private static byte[] served(String resource) {
        try (InputStream in = SiteFixture.class.getResourceAsStream(resource)) {
            return Objects.requireNonNull(in, resource).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Rate> rows() {
        return List.of(
                Samples.rate("binance", "ETHUSDT", "ETH", NOW - 1_000),
                Samples.rate("binance", "BTCUSDT", "BTC", NOW - 180_001),
                Samples.rate("binance", "OLDUSDT", "OLD", NOW - 600_001),
                Samples.rate("okx", "BTC-USDT-SWAP", "BTC", NOW - 180_000),
                Samples.bare("okx", "X-USDT-SWAP", "X", NOW - 2_000),
                // Outside the default scope.
                Samples.rate("lbank", "BTCUSDT", "BTC", NOW - 3_000));
    }

    static Map<String, VenueStatus> statuses() {
        return Stream.of(
                        Samples.read("binance", NOW - 1_000, 3, Map.of("not_perpetual", 7L, "no_rate", 2L))
                                .withPollCounts(
                                        PollCounts.since(NOW - 7_200_000).with(NOW - 7_200_000, NOW - 7_200_000)),
                        Samples.read("okx", NOW - 2_000, 2, Map.of())
                                .withHistory(2, 3)
                                .withHistoryProblem("1 of 3 contracts could not be read: HTTP 400")
                                .withRateRequests(List.of(
                                        new RateRequest("POST", "https://okx.example/rates", "{\"type\":\"{}\"}")))
                                .withPollCounts(PRESENT),
                        Samples.read("lbank", NOW - 3_000, 1, Map.of()),
                        Samples.failed("bybit", NOW - 4_000, NOW - 900_000, "HTTP 403")
                                .withClosedUntil(Map.of("api.bybit.com", NOW + 600_000, "tickers_linear", NOW - 1)),
                        Samples.untouched("gate"),
                        Samples.withoutReader("kraken"))
                .collect(Collectors.toMap(VenueStatus::venue, s -> s));
    }

    /**
     * Polled every three minutes, and each minute of the last two days. No poll for 63 minutes five days ago; the last one, a
     * minute ago, failed.
     */
    private static PollCounts presentForAMonth() {
        long gap = NOW - 5 * DAY;
        PollCounts counts = PollCounts.since(NOW - 31 * DAY);
        for (long at = NOW - 31 * DAY; at < NOW - MINUTE; at += at < NOW - 2 * DAY ? 3 * MINUTE : MINUTE) {
            counts = at <= gap || at >= gap + 63 * MINUTE ? counts.with(at, at) : counts;
        }
        return counts.with(NOW - MINUTE, null);
    }

    static Map<String, VenueQuality> qualities() {
        var okx =
                new VenueQuality("okx", 0, 2_592_000_000L, 90, new BigDecimal("0.0000125"), new BigDecimal("0.00025"));
        return Map.of("okx", okx);
    }

    static Snapshot snapshot(long now, List<Rate> rows, Map<String, VenueStatus> statuses) {
        return Snapshots.of(now, now + 2_500, Snapshots.rows(rows, now), statuses, qualities(), null);
    }

    /** The snapshot of okx that follows another one. */
    static Snapshot following(Snapshot former, long now, List<Rate> rows) {
        Map<String, VenueRows> okx = Snapshots.following(former, Snapshots.rows(rows, now), now);
        return Snapshots.of(now, now + 2_500, okx, Map.of(), qualities(), null);
    }

    static Snapshot snapshot() {
        return snapshot(NOW, rows(), statuses());
    }

    static SiteRequest request(String method, String address, String... headers) {
        var match = new ArrayList<String>();
        var accept = new ArrayList<String>();
        for (String header : headers) {
            (header.startsWith("\"") || header.startsWith("W/") ? match : accept).add(header);
        }
        return Routed.request(method, address, match, accept, NOW + 77);
    }

    /** Every response is compared with the description. */
    SiteResponse responses(SiteRequest request, @Nullable Snapshot snapshot) {
        SiteResponse response = Routed.response(site, request, snapshot);
        Described.check(request.method(), request.path(), response);
        return response;
    }

    SiteResponse get(String address, String... headers) {
        return responses(request("GET", address, headers), snapshot());
    }

    static byte[] bytes(SiteResponse response) {
        var out = new ByteArrayOutputStream();
        Routed.pieces(response).forEach(out::writeBytes);
        assertEquals(response.headers().get("Content-Length"), Integer.toString(out.size()));
        return out.toByteArray();
    }

    static JsonNode json(SiteResponse response) throws IOException {
        assertTrue(
                response.headers().get("Content-Type").startsWith("application/json"),
                response.headers().toString());
        return JSON.readTree(bytes(response));
    }

    JsonNode json(String address) throws IOException {
        return json(get(address));
    }

    JsonNode json(String address, Snapshot snapshot) throws IOException {
        return json(responses(request("GET", address), snapshot));
    }

    /**
     * Compares values of a response. Each line has a pointer (RFC 6901) and the JSON of the value with all its digits, or {@code none} where
     * there is no value.
     */
    static void facts(JsonNode body, String lines) {
        lines.strip().lines().forEach(line -> {
            int space = line.indexOf(' ');
            JsonNode found = body.at(line.substring(0, space));
            assertEquals(line.substring(space + 1), found.isMissingNode() ? "none" : found.toString(), line);
        });
    }

    static List<String> symbols(JsonNode response) {
        return StreamSupport.stream(response.path("rows").spliterator(), false)
                .map(row ->
                        row.path("venue").asText() + " " + row.path("symbol").asText())
                .toList();
    }

    static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    static List<String> texts(JsonNode array, String field) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(one -> one.path(field).asText())
                .toList();
    }
}
