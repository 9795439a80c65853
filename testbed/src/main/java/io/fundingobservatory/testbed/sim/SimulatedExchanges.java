package io.fundingobservatory.testbed.sim;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fundingobservatory.testbed.sim.venues.Wires;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The exchanges in one HTTP server on 127.0.0.1: {@code /<venue>/<real host>/<path>?<query>} is answered as that host would
 * answer, out of one {@link SimulatedMarket}. Each exchange can be made to misbehave, and its requests are counted.
 */
public final class SimulatedExchanges implements AutoCloseable {
    static {
        // Without it an answer in two writes waits 40 ms for the acknowledgement of the first.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Stand> stands = new HashMap<>();
    private final SimulatedMarket market;
    private final InstantSource clock;

    /** What stands for one exchange: its format, its fault, and what it remembers. */
    private static final class Stand {
        final Wire wire;
        final AtomicLong requests = new AtomicLong();
        volatile Misbehaviour behaviour = Misbehaviour.none();
        volatile Moment latest = new Moment(Long.MIN_VALUE, List.of());

        Stand(Wire wire) {
            this.wire = wire;
        }
    }

    private SimulatedExchanges(HttpServer server, long seed, InstantSource clock, List<Wire> wires) {
        this.server = server;
        this.clock = clock;
        this.market = new SimulatedMarket(seed, wires);
        wires.forEach(wire -> stands.put(wire.venue(), new Stand(wire)));
        server.createContext("/", this::serve);
        server.setExecutor(threads);
        server.start();
    }

    /**
     * Starts all of them.
     *
     * @param port the port on 127.0.0.1; 0 takes a free one
     * @param seed the market's seed
     * @param clock the exchanges' own clock
     */
    public static SimulatedExchanges start(int port, long seed, InstantSource clock) {
        return start(port, seed, clock, Wires.all());
    }

    /** Starts these. */
    public static SimulatedExchanges start(int port, long seed, InstantSource clock, List<Wire> wires) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), 512);
            return new SimulatedExchanges(server, seed, clock, wires);
        } catch (IOException e) {
            throw new UncheckedIOException("the simulated exchanges cannot listen on 127.0.0.1:" + port, e);
        }
    }

    /** The address under which all exchanges lie, without a slash at the end. */
    public String baseUrl() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Where an exchange's real {@code https} address is simulated. */
    public URI locate(String venue, String realUrl) {
        return URI.create(baseUrl() + "/" + venue + "/" + realUrl.replaceFirst("^https?://", ""));
    }

    /** Makes every answer of an exchange faulty from now on. */
    public void fault(String venue, Fault fault) {
        Stand stand = stand(venue);
        Misbehaviour before = stand.behaviour;
        stand.behaviour = Misbehaviour.of(fault);
        before.end();
    }

    /** Lets an exchange answer properly again; answers that are under way are let go. */
    public void heal(String venue) {
        Stand stand = stand(venue);
        Misbehaviour before = stand.behaviour;
        stand.behaviour = Misbehaviour.none();
        before.end();
    }

    /** How many requests an exchange has seen, faulty ones included. */
    public long requests(String venue) {
        return stand(venue).requests.get();
    }

    public SimulatedMarket market() {
        return market;
    }

    @Override
    public void close() {
        stands.values().forEach(stand -> stand.behaviour.end());
        server.stop(0);
        threads.shutdownNow();
    }

    private Stand stand(String venue) {
        Stand stand = stands.get(venue);
        if (stand == null) {
            throw new IllegalArgumentException("no simulated exchange: " + venue);
        }
        return stand;
    }

    private void serve(HttpExchange http) throws IOException {
        try (http) {
            String[] parts = http.getRequestURI().getRawPath().split("/", 4);
            Stand stand = parts.length < 3 ? null : stands.get(parts[1]);
            if (stand == null) {
                Answering.send(http, 404, Answering.HTML, "<html><body>no such exchange</body></html>");
                return;
            }
            stand.requests.incrementAndGet();
            Call call = call(http, parts[2], parts.length == 4 ? "/" + parts[3] : "/");
            stand.behaviour.answer(http, stand.wire, () -> stand.wire.answer(call, moment(stand)));
        }
    }

    /** One moment for all that is asked within a second, so that the answers of one poll fit together. */
    private Moment moment(Stand stand) {
        long second = Math.floorDiv(clock.millis(), 1_000) * 1_000;
        Moment latest = stand.latest;
        if (latest.nowMs() != second) {
            latest = market.at(stand.wire.venue(), second);
            stand.latest = latest;
        }
        return latest;
    }

    private static Call call(HttpExchange http, String host, String rawPath) throws IOException {
        var query = new HashMap<String, String>();
        String rawQuery = http.getRequestURI().getRawQuery();
        if (rawQuery != null && !rawQuery.isEmpty()) {
            for (String pair : rawQuery.split("&")) {
                int equals = pair.indexOf('=');
                String name = equals < 0 ? pair : pair.substring(0, equals);
                query.putIfAbsent(decoded(name), equals < 0 ? "" : decoded(pair.substring(equals + 1)));
            }
        }
        String body = new String(http.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        return new Call(http.getRequestMethod(), host, decoded(rawPath.replace("+", "%2B")), Map.copyOf(query), body);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
