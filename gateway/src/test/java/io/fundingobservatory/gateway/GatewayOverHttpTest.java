package io.fundingobservatory.gateway;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.aayushatharva.brotli4j.decoder.BrotliInputStream;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.luben.zstd.ZstdInputStream;
import io.fundingobservatory.gateway.core.Described;
import io.fundingobservatory.gateway.core.Samples;
import io.fundingobservatory.gateway.core.UnitsWalk;
import io.fundingobservatory.gateway.tables.FirstList;
import io.fundingobservatory.gateway.tables.GatewayService;
import io.fundingobservatory.testbed.KafkaFixture;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Rate;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.VenueStatus;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The gateway as it runs, over a real broker and real HTTP, from its start to the broker's death. */
@TestMethodOrder(OrderAnnotation.class)
class GatewayOverHttpTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long BEAT_MS = 2_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static KafkaFixture kafka;
    private static KafkaProducer<String, byte[]> producer;
    private static ApplicationContext gateway;
    private static URI base;
    private static URI management;
    private static final List<Rate> PUBLISHED = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        kafka = KafkaFixture.start();
        producer = new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        kafka.bootstrapServers(),
                        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                        "gateway-test"),
                new StringSerializer(),
                new ByteArraySerializer());
        producer.initTransactions();
        int managementPort = freePort();
        gateway = ApplicationContext.run(Map.of(
                "micronaut.server.port", "0",
                "observatory.management.port", Integer.toString(managementPort),
                // The tests' own calls are many; those about traffic say through a trusted proxy who they are.
                "observatory.gateway.traffic.exempt", "127.0.0.1",
                "observatory.gateway.traffic.trusted-proxies", "127.0.0.1/32",
                "observatory.gateway.access-log", "true",
                "observatory.gateway.generation-interval", BEAT_MS + "ms",
                "observatory.kafka.bootstrap-servers", kafka.bootstrapServers()));
        EmbeddedServer server = gateway.getBean(EmbeddedServer.class).start();
        base = URI.create("http://127.0.0.1:" + server.getPort());
        management = URI.create("http://127.0.0.1:" + managementPort);
    }

    @AfterAll
    static void stop() {
        if (gateway != null) {
            gateway.close();
        }
        if (producer != null) {
            producer.close(Duration.ZERO);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static <V> void send(Topic<V> topic, String key, V value) {
        producer.send(new ProducerRecord<>(topic.name(), key, topic.codec().encode(value)));
    }

    private static void publish(Rate rate) {
        send(Topics.RATES_LATEST, rate.key().toString(), rate);
        PUBLISHED.add(rate);
    }

    private static void publish(VenueStatus status) {
        send(Topics.VENUES_STATUS, status.venue(), status);
    }

    private static HttpResponse<byte[]> call(String method, String address, String... headers) throws Exception {
        var request = HttpRequest.newBuilder(base.resolve(address)).method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<byte[]> response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        var fields = new HashMap<String, String>();
        response.headers().map().keySet().forEach(name -> fields.put(name, header(response, name)));
        Described.check(method, response.uri().getPath(), response.statusCode(), fields, response.body());
        return response;
    }

    private static HttpResponse<byte[]> get(String address, String... headers) throws Exception {
        return call("GET", address, headers);
    }

    private static JsonNode json(HttpResponse<byte[]> response) throws IOException {
        assertEquals("application/json; charset=utf-8", header(response, "Content-Type"));
        return JSON.readTree(response.body());
    }

    private static String header(HttpResponse<?> response, String name) {
        List<String> values = response.headers().allValues(name);
        assertTrue(values.size() <= 1, name + " is there " + values.size() + " times");
        return values.isEmpty() ? "" : values.getFirst();
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                fail("not within " + PATIENCE + ": " + what);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static JsonNode list() {
        try {
            return JSON.readTree(get("/api/v1/latest").body());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static int managed(String path) throws Exception {
        return HTTP.send(
                        HttpRequest.newBuilder(management.resolve(path)).build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    @Order(1)
    void beforeAnythingIsKnownItIsStarting() throws Exception {
        HttpResponse<byte[]> response = get("/api/v1/latest");
        assertEquals(503, response.statusCode());
        assertEquals("5", header(response, "Retry-After"));
        JsonNode body = json(response);
        assertEquals("starting", body.path("status").asText());
        UnitsWalk.check(body);
        assertEquals(503, managed("/health/readiness"));
        assertEquals(200, managed("/health/liveness"));
        assertEquals(200, get("/robots.txt").statusCode());
    }

    @Test
    @Order(2)
    void theFirstListIsComplete() throws Exception {
        long now = System.currentTimeMillis();
        // What streams has not committed must never be seen.
        producer.beginTransaction();
        publish(Samples.rate("okx", "NEVER-USDT-SWAP", "NEVER", now));
        producer.flush();
        producer.abortTransaction();
        PUBLISHED.clear();

        producer.beginTransaction();
        publish(Samples.read("okx", now, 2, Map.of("no_rate", 3L)));
        publish(Samples.read("binance", now, 1, Map.of()));
        for (ListedVenue venue : ListedVenue.ALL) {
            if (!List.of("okx", "binance").contains(venue.id())) {
                publish(Samples.withoutReader(venue.id()));
            }
        }
        publish(Samples.rate("okx", "BTC-USDT-SWAP", "BTC", now));
        publish(Samples.rate("binance", "BTCUSDT", "BTC", now));
        producer.send(new ProducerRecord<>(
                Topics.RATES_LATEST.name(), "okx|POISON", "{\"venue\":1e400".getBytes(StandardCharsets.UTF_8)));
        producer.send(new ProducerRecord<>(
                Topics.RATES_LATEST.name(), "okx|OTHER", Rate.CODEC.encode(Samples.rate("okx", "A", "A", now))));
        producer.send(new ProducerRecord<>(Topics.VENUES_STATUS.name(), "gate", new byte[] {(byte) 0xff}));
        producer.commitTransaction();
        GatewayService service = gateway.getBean(GatewayService.class);
        await("the unreadable records are counted", () -> service.poison() == 3);
        assertEquals(503, get("/api/v1/latest").statusCode(), "one row of okx has not arrived");

        producer.beginTransaction();
        publish(Samples.bare("okx", "X-USDT-SWAP", "X", now));
        producer.commitTransaction();
        assertEquals(new FirstList(3, 2), service.firstList().get(30, TimeUnit.SECONDS));

        HttpResponse<byte[]> response = get("/api/v1/latest");
        assertEquals(200, response.statusCode());
        JsonNode body = json(response);
        UnitsWalk.check(body);
        assertEquals(3, body.path("rows").size());
        assertEquals(2, body.path("meta").path("coverage").asInt());
        assertEquals("live", body.path("meta").path("source").asText());
        await("ready", () -> {
            try {
                return managed("/health/readiness") == 200;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    @Order(3)
    void rowsAreByteForByteTheTopicsValues() throws Exception {
        String body = new String(get("/api/v1/latest").body(), StandardCharsets.UTF_8);
        String expected = PUBLISHED.stream()
                .sorted(Comparator.comparing(Rate::key))
                .map(rate -> new String(Rate.CODEC.encode(rate), StandardCharsets.UTF_8))
                .collect(Collectors.joining(",", "\"rows\":[", "]}"));
        assertTrue(body.endsWith(expected), body);
    }

    @Test
    @Order(4)
    void namesNarrow() throws Exception {
        JsonNode body = json(get("/api/v1/latest?venues=okx,foo&assets=BTC"));
        assertEquals(1, body.path("rows").size());
        assertEquals("[\"foo\"]", body.path("meta").path("unreadable_venues").toString());
        UnitsWalk.check(body);
    }

    @Test
    @Order(5)
    void mannersOfHttp() throws Exception {
        HttpResponse<byte[]> plain = get("/api/v1/venues");
        HttpResponse<byte[]> packed = get("/api/v1/venues", "Accept-Encoding", "gzip");
        assertEquals(200, packed.statusCode());
        assertEquals("gzip", header(packed, "Content-Encoding"));
        assertEquals("Accept-Encoding", header(packed, "Vary"));
        assertEquals("", header(packed, "Server"));
        assertEquals("*", header(packed, "Access-Control-Allow-Origin"));
        assertEquals("nosniff", header(packed, "X-Content-Type-Options"));
        assertFalse(header(packed, "ETag").equals(header(plain, "ETag")));
        JsonNode inflated = JSON.readTree(new GZIPInputStream(new ByteArrayInputStream(packed.body())));
        assertEquals(48, inflated.path("rows").size());
        assertEquals(packed.body().length, Integer.parseInt(header(packed, "Content-Length")));

        HttpResponse<byte[]> file = get("/llms.txt");
        HttpResponse<byte[]> again = get("/llms.txt", "If-None-Match", header(file, "ETag"));
        assertEquals(304, again.statusCode());
        assertEquals(0, again.body().length);
        assertEquals(header(file, "ETag"), header(again, "ETag"));
        assertEquals("", header(again, "Content-Type"));

        HttpResponse<byte[]> head = call("HEAD", "/llms.txt");
        assertEquals(200, head.statusCode());
        assertEquals(0, head.body().length);
        assertEquals(header(file, "Content-Length"), header(head, "Content-Length"));
        assertEquals(header(file, "ETag"), header(head, "ETag"));

        HttpResponse<byte[]> options = call(
                "OPTIONS", "/api/v1/latest", "Origin", "https://a.example", "Access-Control-Request-Method", "GET");
        assertEquals(204, options.statusCode());
        assertEquals("GET, HEAD, OPTIONS", header(options, "Access-Control-Allow-Methods"));
        assertEquals(0, options.body().length);
    }

    /** Every address of the description, with every name where it has one in it. */
    private static List<String> describedAddresses() {
        var addresses = new ArrayList<String>();
        Described.openapi().path("paths").properties().forEach(path -> {
            JsonNode names = path.getValue().at("/get/parameters/0/schema/enum");
            if (path.getKey().endsWith("{name}")) {
                names.forEach(name -> addresses.add(path.getKey().replace("{name}", name.asText())));
            } else {
                addresses.add(path.getKey());
            }
        });
        return addresses;
    }

    @Test
    @Order(5)
    void everyDescribedAddressHasTheSameManners() throws Exception {
        assertTrue(describedAddresses().size() > 30, describedAddresses().toString());
        for (String address : describedAddresses()) {
            HttpResponse<byte[]> whole = get(address);
            HttpResponse<byte[]> head = call("HEAD", address);
            HttpResponse<byte[]> preflight = call(
                    "OPTIONS",
                    address,
                    "Origin",
                    "https://a.example",
                    "Access-Control-Request-Method",
                    "GET",
                    "Access-Control-Request-Headers",
                    "if-none-match, x-anything");
            assertEquals(204, preflight.statusCode());
            assertTrue(header(preflight, "Access-Control-Allow-Headers").contains("*"));
            assertEquals(whole.statusCode(), head.statusCode(), address);
            if (List.of(501, 503).contains(whole.statusCode())) {
                continue;
            }
            assertEquals(200, whole.statusCode(), address);
            assertEquals(header(whole, "Content-Type"), header(head, "Content-Type"));
            if (address.startsWith("/api/")) {
                continue;
            }
            for (String coding : List.of("", "gzip", "br", "zstd")) {
                await("the file in each coding that is worth it", () -> {
                    try {
                        String got = header(get(address, "Accept-Encoding", coding), "Content-Encoding");
                        return got.equals(whole.body().length < 512 ? "" : coding);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
                HttpResponse<byte[]> packed = get(address, "Accept-Encoding", coding);
                assertArrayEquals(whole.body(), unpacked(packed), address);
                HttpResponse<byte[]> packedHead = call("HEAD", address, "Accept-Encoding", coding);
                HttpResponse<byte[]> same =
                        get(address, "Accept-Encoding", coding, "If-None-Match", header(packed, "ETag"));
                assertEquals(304, same.statusCode());
                for (String kept :
                        List.of("ETag", "Vary", "Cache-Control", "Last-Modified", "Content-Security-Policy")) {
                    assertEquals(header(packed, kept), header(same, kept), address + " " + kept);
                    assertEquals(header(packed, kept), header(packedHead, kept), address + " " + kept);
                }
                assertEquals(header(packed, "Content-Length"), header(packedHead, "Content-Length"));
                assertEquals(header(packed, "Content-Encoding"), header(packedHead, "Content-Encoding"));
            }
        }
    }

    @Test
    @Order(5)
    void everyLinkLeadsSomewhereOnThisService() throws Exception {
        var found = new ArrayList<String>();
        String page = new String(get("/").body(), StandardCharsets.UTF_8);
        Pattern.compile("(?:href|src)=\"([^\"#]+)\"").matcher(page).results().forEach(link -> found.add(link.group(1)));
        for (String script :
                found.stream().filter(link -> link.endsWith(".js")).distinct().toList()) {
            String source = new String(get(script).body(), StandardCharsets.UTF_8);
            Pattern.compile("from '\\./([a-z]+\\.js)'|`?'(/api/v1/[a-z]+)")
                    .matcher(source)
                    .results()
                    .forEach(link -> found.add(link.group(1) == null ? link.group(2) : "/page/" + link.group(1)));
            assertFalse(source.contains("innerHTML") || source.contains("http:") || source.contains("https:"), script);
        }
        JsonNode catalog = JSON.readTree(get("/.well-known/api-catalog").body());
        catalog.findValuesAsText("href").forEach(found::add);
        catalog.findValuesAsText("anchor").forEach(found::add);
        json(get("/api/v1")).path("links").forEach(link -> found.add(link.asText()));
        json(get("/nowhere")).path("addresses").forEach(link -> found.add(link.asText()));
        String llms = new String(get("/llms.txt").body(), StandardCharsets.UTF_8);
        Pattern.compile("\\]\\(([^)]+)\\)").matcher(llms).results().forEach(link -> found.add(link.group(1)));
        assertTrue(found.size() > 60, found.toString());
        for (String link : new TreeSet<>(found)) {
            assertTrue(link.startsWith("/"), link);
            int status = get(link).statusCode();
            assertTrue(status == 200 || (status == 503 && link.equals("/api/v1/carry")), link + " " + status);
        }
        assertTrue(header(get("/.well-known/api-catalog"), "Content-Type")
                .equals("application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\""));
        List<String> catalogued = catalog.findValuesAsText("href");
        for (JsonNode file : json(get("/manifest.json")).path("files")) {
            String path = file.path("path").asText();
            boolean listed = path.startsWith("/page/") || path.equals("/robots.txt") || path.endsWith("api-catalog");
            assertTrue(listed || catalogued.contains(path), path + " is in no catalogue");
        }
    }

    private static byte[] unpacked(HttpResponse<byte[]> response) throws IOException {
        var packed = new ByteArrayInputStream(response.body());
        return switch (header(response, "Content-Encoding")) {
            case "br" -> new BrotliInputStream(packed).readAllBytes();
            case "zstd" -> new ZstdInputStream(packed).readAllBytes();
            case "gzip" -> new GZIPInputStream(packed).readAllBytes();
            default -> response.body();
        };
    }

    @Test
    @Order(5)
    void theListComesInTheCodingThatIsLikedBest() throws Exception {
        var shortest = Map.of("br", length("br"), "zstd", length("zstd"), "gzip", length("gzip")).entrySet().stream()
                .min(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
        Map<String, String> liked = Map.of(
                "gzip, deflate, br, zstd", shortest,
                "gzip, br;q=0.5, zstd;q=0.9, *;q=0", "gzip",
                "zstd, br;q=0", "zstd",
                "*", shortest,
                "*;q=0.5, identity", "",
                "identity;q=0, deflate", "",
                "br;q=0.001, gzip;q=0", "br",
                "", "");
        for (var entry : liked.entrySet()) {
            HttpResponse<byte[]> response = get("/api/v1/latest", "Accept-Encoding", entry.getKey());
            String tag = header(response, "ETag");
            assertEquals(3, JSON.readTree(unpacked(response)).path("rows").size());
            assertEquals("Accept-Encoding", header(response, "Vary"));
            String coding = header(response, "Content-Encoding");
            assertTrue(coding.isEmpty() ? !tag.contains("-") : tag.endsWith("-" + coding + "\""), tag);
            assertEquals(entry.getValue(), coding, entry.getKey());
        }
    }

    private static int length(String coding) throws Exception {
        return Integer.parseInt(header(get("/api/v1/latest", "Accept-Encoding", coding), "Content-Length"));
    }

    /** Whatever a client accepts, it gets it of the same generation, and a cache may keep it until the next. */
    @Test
    @Order(5)
    void aGenerationIsThereInEveryCodingFromItsFirstByteAndForOneBeat() throws Exception {
        for (int generation = 0; generation < 3; generation++) {
            long before = list().path("meta").path("generated_at_ms").asLong();
            await(
                    "the next beat",
                    () -> list().path("meta").path("generated_at_ms").asLong() > before);
            var tags = new HashMap<String, String>();
            for (String coding : List.of("br", "zstd", "gzip", "")) {
                HttpResponse<byte[]> response = get("/api/v1/latest", "Accept-Encoding", coding);
                assertEquals(coding, header(response, "Content-Encoding"));
                tags.put(coding, header(response, "ETag"));
                JsonNode meta = JSON.readTree(unpacked(response)).path("meta");
                assertEquals(0, meta.path("generated_at_ms").asLong() % BEAT_MS, "a multiple in wall-clock time");
                assertEquals(
                        "public, max-age=1, stale-if-error=600",
                        header(response, "Cache-Control"),
                        "what is left of 2 s, at least one");
            }
            assertEquals(
                    1,
                    tags.values().stream()
                            .map(tag -> tag.substring(1, 33))
                            .distinct()
                            .count(),
                    tags.toString());
        }
    }

    @Test
    @Order(6)
    void whatIsRefusedIsRefusedInJson() throws Exception {
        Map<String, Integer> refused = Map.of(
                "/api/v1/history", 501,
                "/api/v1/carry", 503,
                "/nowhere", 404,
                "/page/", 404,
                "/api/v1/latest?x=1", 400);
        for (var entry : refused.entrySet()) {
            HttpResponse<byte[]> response = get(entry.getKey());
            assertEquals(entry.getValue(), response.statusCode(), entry.getKey());
            assertEquals("no-store", header(response, "Cache-Control"));
            UnitsWalk.check(json(response));
        }
        for (String method : List.of("POST", "PUT", "DELETE", "PATCH", "BREW")) {
            HttpResponse<byte[]> response = call(method, "/api/v1/latest");
            assertEquals(405, response.statusCode(), method);
            assertEquals("GET, HEAD, OPTIONS", header(response, "Allow"));
            assertEquals("read_only", json(response).path("status").asText());
        }
    }

    @Test
    @Order(7)
    void malformedRequestsAreAnsweredInJson() throws Exception {
        Map<String, Integer> requests = new HashMap<>();
        requests.put("GET /api/v1/latest?venues=%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 400);
        requests.put("GET /api/v1/latest?venues=a|b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 400);
        requests.put("GET /" + "a".repeat(3_000) + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 414);
        requests.put("GET / HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(9_000) + "\r\nConnection: close\r\n\r\n", 431);
        requests.put("GET /api/v1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}", 400);
        requests.put("GET /api/v1 HTTP/1.1\r\nHost: a\r\nbad header\r\nConnection: close\r\n\r\n", 400);
        for (var entry : requests.entrySet()) {
            String sent =
                    entry.getKey().substring(0, Math.min(60, entry.getKey().length()));
            String answer = raw(entry.getKey());
            assertTrue(answer.matches("(?s)HTTP/1\\.[01] " + entry.getValue() + " .*"), sent + " -> " + answer);
            Described.check("GET", "/nowhere", answer);
            String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);
            UnitsWalk.check(JSON.readTree(body));
            assertFalse(body.contains("<html") || body.contains("Exception"), body);
        }
    }

    private static String raw(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", base.getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    @Order(7)
    void aSweepIsRefusedAndTheWholeListIsNot() throws Exception {
        int answered = 0;
        HttpResponse<byte[]> response;
        do {
            response = get("/api/v1/latest?assets=A" + answered, "X-Forwarded-For", "198.51.100.9, 203.0.113.7");
        } while (response.statusCode() == 200 && ++answered < 61);
        assertEquals(429, response.statusCode());
        assertEquals(39, answered);
        assertEquals("60", header(response, "Retry-After"));
        assertEquals("no-store", header(response, "Cache-Control"));
        JsonNode body = json(response);
        UnitsWalk.check(body);
        assertEquals("refused", body.path("status").asText());
        assertEquals(60, body.path("retry_after_s").asInt());
        assertEquals("/api/v1/latest", body.path("use_instead").asText());
        assertFalse(body.path("reason").asText().isBlank());
        assertTrue(body.path("addresses").size() > 3);
        assertEquals(
                200, get("/api/v1/latest", "X-Forwarded-For", "203.0.113.7").statusCode());
        assertEquals(
                200,
                get("/api/v1/latest?assets=A0", "X-Forwarded-For", "203.0.113.7")
                        .statusCode(),
                "seen before");
        assertEquals(
                200,
                get("/api/v1/latest?assets=Z", "X-Forwarded-For", "203.0.113.8").statusCode(),
                "another client");
        int lists = 0;
        while (get("/api/v1/latest", "Forwarded", "for=\"[2001:db8::1]:80\"").statusCode() == 200 && ++lists < 30) {}
        assertTrue(lists >= 10 && lists <= 12, "60 points at once are 10 lists: " + lists);
    }

    @Test
    @Order(8)
    void theSkillIsServedByteForByteAndEveryDigestHolds() throws Exception {
        HttpResponse<byte[]> skill = get("/skills/funding-rates/SKILL.md");
        assertArrayEquals(Files.readAllBytes(Path.of("../skills/funding-rates/SKILL.md")), skill.body());
        for (JsonNode file : json(get("/manifest.json")).path("files")) {
            byte[] bytes = get(file.path("path").asText()).body();
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            assertEquals(file.path("sha256").asText(), HexFormat.of().formatHex(digest), file.toString());
            assertEquals(file.path("bytes").asInt(), bytes.length);
        }
        JsonNode index = JSON.readTree(
                        get("/.well-known/agent-skills/index.json").body())
                .at("/skills/0");
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(skill.body());
        assertEquals(
                "sha256:" + HexFormat.of().formatHex(digest),
                index.path("digest").asText());
        assertEquals(
                FrontMatter.of(new String(skill.body(), StandardCharsets.UTF_8)).path("description"),
                index.path("description"));
        assertEquals(
                "/skills/" + index.path("name").asText() + "/SKILL.md",
                index.path("url").asText());
    }

    @Test
    @Order(9)
    void managementIsOnItsOwnPortOnly() throws Exception {
        assertEquals(404, get("/health").statusCode());
        assertEquals(404, get("/prometheus").statusCode());
        assertEquals(200, managed("/prometheus"));
        assertTrue(managed("/api/v1/latest") >= 400);
    }

    @Test
    @Order(10)
    void aNewObservationIsSeenAndATombstoneRemoves() throws Exception {
        long before = list().path("meta").path("generated_at_ms").asLong();
        long now = System.currentTimeMillis();
        producer.beginTransaction();
        publish(Samples.rate("bybit", "ETHUSDT", "ETH", now));
        producer.send(new ProducerRecord<>(Topics.RATES_LATEST.name(), "okx|X-USDT-SWAP", null));
        producer.commitTransaction();
        await(
                "the new row alone",
                () -> list().path("rows").toString().contains("ETHUSDT")
                        && !list().path("rows").toString().contains("X-USDT-SWAP"));
        assertTrue(list().path("meta").path("generated_at_ms").asLong() >= before);
    }

    @Test
    @Order(10)
    void pairsAreServedOnceTheirTableIsThere() throws Exception {
        assertEquals(503, get("/api/v1/carry").statusCode());
        long end = System.currentTimeMillis() / 3_600_000 * 3_600_000;
        producer.beginTransaction();
        send(
                Topics.CARRY_PAIRS,
                "BTC",
                Samples.table(
                        "BTC",
                        end,
                        List.of(Samples.pair(
                                Samples.leg("binance", "BTCUSDT", "0.001", 0, end),
                                Samples.leg("okx", "BTC-USDT-SWAP", "0.003", 0, end),
                                30,
                                null)),
                        List.of()));
        producer.commitTransaction();
        await("the ranking", () -> {
            try {
                return get("/api/v1/carry").statusCode() == 200;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        HttpResponse<byte[]> response = get("/api/v1/carry");
        JsonNode body = json(response);
        UnitsWalk.check(body);
        assertEquals(
                "0.002", body.path("rows").get(0).path("funding_difference_30d").asText());
        assertEquals(1, body.path("rows").get(0).path("price_ratio").asInt());
        assertFalse(header(response, "ETag").isEmpty());
        assertTrue(json(get("/api/v1")).path("addresses").toString().contains("\"/api/v1/carry\",\"served\":\"yes\""));

        // What cannot be read, or is another asset's, leaves the last table standing.
        GatewayService service = gateway.getBean(GatewayService.class);
        long poisonBefore = service.poison();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(
                Topics.CARRY_PAIRS.name(), "BTC", "{\"asset\":\"BTC\"}".getBytes(StandardCharsets.UTF_8)));
        send(Topics.CARRY_PAIRS, "ETH", Samples.table("BTC", end, List.of(), List.of()));
        producer.commitTransaction();
        await("the unreadable tables are counted", () -> service.poison() == poisonBefore + 2);
        assertEquals(1, json(get("/api/v1/carry")).path("rows").size());
    }

    @Test
    @Order(11)
    void theLastListStaysWhenTheBrokerGoesAway() throws Exception {
        JsonNode before = list();
        assertNotNull(before.get("rows"));
        kafka.close();
        await("a later generation without the broker", () -> {
            JsonNode now = list();
            assertEquals(before.path("rows"), now.path("rows"));
            return now.path("meta").path("generated_at_ms").asLong()
                    > before.path("meta").path("generated_at_ms").asLong();
        });
    }
}
