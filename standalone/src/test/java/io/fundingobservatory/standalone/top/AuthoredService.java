package io.fundingobservatory.standalone.top;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPOutputStream;

/** A real HTTP server with authored responses at the service's endpoints, which counts requests. */
public final class AuthoredService implements AutoCloseable {
    /** A response: what its status is, its header fields, its body. */
    public record Response(int status, Map<String, String> headers, String body) {
        public static Response ok(String body) {
            return new Response(200, Map.of("Content-Type", "application/json"), body);
        }

        Response with(String name, String value) {
            var more = new java.util.HashMap<>(headers);
            more.put(name, value);
            return new Response(status, more, body);
        }
    }

    static final String META = """
            "plan":"free","key_required":false,"meta":{"release":"9.8.7","generated_at_utc":"2026-11-20T14:25:18.999Z",
            "source":"simulated","coverage":2,"venues_listed":48},""";

    public static final String VENUES = "{" + META + """
            "rows":[{"venue":"gate","in_current_observation":true,"symbols":312,"reason":null,"age_p50_s":14.203,"age_p95_s":31.9,
                     "settled_history_contracts":312,"settled_history_contracts_read":300},
                    {"venue":"okx","in_current_observation":true,"symbols":210,"reason":"HTML instead of JSON","age_p50_s":181.000,
                     "age_p95_s":181.2,"settled_history_contracts":null,"settled_history_contracts_read":null},
                    {"venue":"kraken","in_current_observation":false,"symbols":0,"reason":"refused with 403","age_p50_s":null,
                     "age_p95_s":null,"settled_history_contracts":null,"settled_history_contracts_read":null}]}""";

    public static final String PAIRS = "{" + META + """
            "window_end_ms":1795183200000,"complete_count":1,"incomplete_count":7,"refused_count":3,
            "rows":[{"rank":1,"asset":"BTC","funding_difference_30d":0.012345678901234567,"positive_days":28,
                     "current_difference_8h":-0.0000125,"price_ratio":1.0001,
                     "short":{"venue":"gate","symbol":"BTC_USDT"},"long":{"venue":"okx","symbol":"BTC-USDT-SWAP"}}],
            "incomplete":[],"refused":[]}""";

    public static final String RATES = "{" + META + """
            "rows":[{"venue":"gate","symbol":"BTC_USDT","asset":"BTC","quote":"USDT","contract_type":"linear","funding_rate_8h":-0.0000125,
                     "funding_interval_h":8,"rate_kind":"estimate","next_funding_ms":1795190400000,"mark_price":92517,
                     "index_price":92566.07,"price_scale":1},
                    {"venue":"okx","symbol":"BTC-USDT-SWAP","asset":"BTC","quote":"USDT","contract_type":"linear",
                     "funding_rate_8h":0.000100000000000001,"funding_interval_h":4,"rate_kind":"fixed","next_funding_ms":null,
                     "mark_price":92518.5,"index_price":null,"price_scale":1,"stale":true},
                    {"venue":"aevo","symbol":"BTC-PERP","asset":"BTC","quote":"USD","contract_type":"linear","funding_rate_8h":null,
                     "funding_interval_h":null,"rate_kind":"estimate","next_funding_ms":null,"mark_price":null,"index_price":null,
                     "price_scale":1}]}""";

    private final HttpServer server;
    private final Map<String, Response> responses = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    public AuthoredService() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::response);
        server.start();
    }

    /** A service that responds at all three endpoints. */
    public static AuthoredService whole() throws IOException {
        var service = new AuthoredService();
        service.respond("/api/v1/venues", Response.ok(VENUES));
        service.respond("/api/v1/carry", Response.ok(PAIRS));
        service.respond("/api/v1/latest", Response.ok(RATES));
        return service;
    }

    public void respond(String path, Response response) {
        responses.put(path, response);
    }

    public URI base() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Every request so far: its path with its query, and its {@code If-None-Match} behind a blank where it has one. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    private void response(HttpExchange exchange) throws IOException {
        String tag = exchange.getRequestHeaders().getFirst("If-None-Match");
        requests.add(exchange.getRequestURI() + (tag == null ? "" : " " + tag));
        Response response = responses.getOrDefault(
                exchange.getRequestURI().getPath(), new Response(404, Map.of(), "{\"status\":\"unknown_address\"}"));
        boolean unchanged = tag != null && tag.equals(response.headers().get("ETag"));
        response.headers().forEach(exchange.getResponseHeaders()::set);
        try (exchange) {
            if (unchanged) {
                exchange.sendResponseHeaders(304, -1);
                return;
            }
            byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
            if ("gzip".equals(response.headers().get("Content-Encoding"))) {
                body = gzip(body);
            }
            exchange.sendResponseHeaders(response.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static byte[] gzip(byte[] plain) {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
