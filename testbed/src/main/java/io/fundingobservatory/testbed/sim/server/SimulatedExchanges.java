package io.fundingobservatory.testbed.sim.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fundingobservatory.testbed.sim.SimulatedMarket;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.testbed.sim.limits.PoolUse;
import io.fundingobservatory.testbed.sim.venues.Wires;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The venues in one HTTP server, on 127.0.0.1 by default. {@code /<venue>/<real host>/<path>?<query>}
 * responds as that host would, from one {@link SimulatedMarket}. A fault can be set for a venue. Requests and their use of published limits are counted.
 */
public final class SimulatedExchanges implements AutoCloseable {
    static {
        // Without it a response in two writes waits 40 ms for the acknowledgement of the first.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private static final Pattern COMPRESSION = Pattern.compile("\\b(gzip|br|deflate)\\b");

    private static final String PAGE =
            "<!DOCTYPE html><html><head><title>Attention Required!</title></head><body></body></html>";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, HostedExchange> hosted = new HashMap<>();
    private final SimulatedMarket market;
    private final InstantSource clock;

    /** A fault that lasts until the latch is open. */
    private record Failing(Fault fault, CountDownLatch healed) {}

    /** One exchange, the requests that it has received, and its fault. */
    private static final class HostedExchange {
        final SimulatedExchange exchange;
        final AtomicLong requests = new AtomicLong();
        final AtomicReference<@Nullable Failing> failing = new AtomicReference<>();

        HostedExchange(SimulatedExchange exchange) {
            this.exchange = exchange;
        }

        void set(@Nullable Failing next) {
            Failing before = failing.getAndSet(next);
            if (before != null) {
                before.healed().countDown();
            }
        }
    }

    private SimulatedExchanges(HttpServer server, long seed, InstantSource clock, List<Wire> wires, Realism realism) {
        this.server = server;
        this.clock = clock;
        this.market = new SimulatedMarket(seed, wires, realism.dispersion(), realism.contracts());
        wires.forEach(
                wire -> hosted.put(wire.venue(), new HostedExchange(new SimulatedExchange(wire, market, realism))));
        server.createContext("/", this::serve);
        server.setExecutor(threads);
        server.start();
    }

    /**
     * Starts all of them, lenient.
     *
     * @param port the port on 127.0.0.1; 0 takes a free one
     * @param seed the market's seed
     * @param clock the exchanges' own clock
     */
    public static SimulatedExchanges start(int port, long seed, InstantSource clock) {
        return start(port, seed, clock, Wires.all(), Realism.LENIENT);
    }

    /** Starts all of them, as realistic as that, on a free port. */
    public static SimulatedExchanges start(long seed, InstantSource clock, Realism realism) {
        return start(0, seed, clock, Wires.all(), realism);
    }

    /** Starts these. */
    public static SimulatedExchanges start(
            int port, long seed, InstantSource clock, List<Wire> wires, Realism realism) {
        return start("127.0.0.1", port, seed, clock, wires, realism);
    }

    /**
     * Starts these, for other machines as well.
     *
     * @param bindAddress the address they listen on; {@code 0.0.0.0} for all
     */
    public static SimulatedExchanges start(
            String bindAddress, int port, long seed, InstantSource clock, List<Wire> wires, Realism realism) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral(bindAddress), port), 512);
            return new SimulatedExchanges(server, seed, clock, wires, realism);
        } catch (IOException | IllegalArgumentException e) {
            throw new UncheckedIOException(
                    "the simulated exchanges cannot listen on " + bindAddress + ":" + port, new IOException(e));
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

    /** Makes every response of an exchange faulty from now on, in place of the fault that it had. */
    public void fault(String venue, Fault fault) {
        hosted(venue).set(new Failing(fault, new CountDownLatch(1)));
    }

    /** Lets an exchange respond properly again; requests that wait for a response end. */
    public void heal(String venue) {
        hosted(venue).set(null);
    }

    /** How many requests an exchange has seen, faulty ones included. */
    public long requests(String venue) {
        return hosted(venue).requests.get();
    }

    /** What has been drawn on each pool of an exchange. */
    public List<PoolUse> use(String venue) {
        return hosted(venue).exchange.use();
    }

    /** What has been drawn on the pools of all exchanges. */
    public List<PoolUse> use() {
        var all = new ArrayList<PoolUse>();
        hosted.keySet().stream().sorted().forEach(venue -> all.addAll(use(venue)));
        return all;
    }

    public SimulatedMarket market() {
        return market;
    }

    @Override
    public void close() {
        hosted.values().forEach(exchange -> exchange.set(null));
        server.stop(0);
        threads.shutdownNow();
    }

    private HostedExchange hosted(String venue) {
        HostedExchange exchange = hosted.get(venue);
        if (exchange == null) {
            throw new IllegalArgumentException("no simulated exchange: " + venue);
        }
        return exchange;
    }

    private void serve(HttpExchange http) throws IOException {
        try (http) {
            String[] parts = http.getRequestURI().getRawPath().split("/", 4);
            HostedExchange addressed = parts.length < 3 ? null : hosted.get(parts[1]);
            if (addressed == null) {
                ResponseWriter.send(http, 404, ResponseWriter.HTML, "<html><body>no such exchange</body></html>");
                return;
            }
            addressed.requests.incrementAndGet();
            if (addressed.exchange.wire().needsUserAgent()
                    && http.getRequestHeaders().getFirst("User-Agent") == null) {
                ResponseWriter.send(http, 403, ResponseWriter.HTML, "<html><body>Forbidden</body></html>");
                return;
            }
            String uncompressed = addressed.exchange.wire().uncompressedBody();
            if (uncompressed != null && !acceptsCompression(http)) {
                ResponseWriter.send(http, 403, ResponseWriter.JSON, uncompressed);
                return;
            }
            SimulatedRequest request = call(http, parts[2], parts.length == 4 ? "/" + parts[3] : "/");
            Failing failing = addressed.failing.get();
            if (failing == null) {
                respond(http, addressed.exchange.respond(request, clock.millis()));
                return;
            }
            switch (failing.fault()) {
                case HTML_INSTEAD_OF_JSON -> ResponseWriter.send(http, 200, ResponseWriter.HTML, PAGE);
                case NO_RESPONSE -> failing.healed().await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void respond(HttpExchange http, SimulatedResponse simulated)
            throws IOException, InterruptedException {
        Thread.sleep(simulated.afterMs());
        simulated.headers().forEach(http.getResponseHeaders()::set);
        ResponseWriter.send(http, simulated.status(), simulated.contentType(), simulated.body());
    }

    private static boolean acceptsCompression(HttpExchange http) {
        String accepted = http.getRequestHeaders().getFirst("Accept-Encoding");
        return accepted != null && COMPRESSION.matcher(accepted).find();
    }

    private static SimulatedRequest call(HttpExchange http, String host, String rawPath) throws IOException {
        String body = new String(http.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        return SimulatedRequest.of(
                http.getRequestMethod(),
                host,
                decoded(rawPath.replace("+", "%2B")),
                http.getRequestURI().getRawQuery(),
                body);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
