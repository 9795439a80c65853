package io.fundingobservatory.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.request.SiteRequest;
import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.core.snapshot.CurrentSnapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.fixture.FixedSnapshots;
import io.fundingobservatory.gateway.traffic.Address;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpResponse;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.netty.channel.embedded.EmbeddedChannel;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@MicronautTest
@Property(name = FixedSnapshots.ROWS, value = "1")
class TablesControllerTest {
    private static final Address ONE = Address.parse("192.0.2.1").orElseThrow();
    private static final Address OTHER = Address.parse("192.0.2.2").orElseThrow();

    @Inject
    TablesController tables;

    @Inject
    Site site;

    @Inject
    CurrentSnapshot snapshots;

    private int paths;

    /** A request that no other one equals. */
    private PublicRequest request(Address client, EmbeddedChannel connection) {
        return request(client, connection, "/nowhere" + paths++);
    }

    private static PublicRequest request(Address client, EmbeddedChannel connection, String path) {
        SiteRequest read = SiteRequest.of("GET", path, null, List.of(), null, List.of(), System.nanoTime(), 1);
        return new PublicRequest(client, read, null, false, connection);
    }

    private SiteResponse notFound() {
        return site.errors().of(404, 0, null);
    }

    private static int status(CompletionStage<HttpResponse<PreparedBody>> response) throws Exception {
        return response.toCompletableFuture().get(5, TimeUnit.MINUTES).code();
    }

    /** Keeps all rendering threads busy until the gate opens. */
    private List<CompletionStage<HttpResponse<PreparedBody>>> occupy(CountDownLatch gate) throws Exception {
        var begun = new CompletableFuture<Boolean>();
        var responses = new ArrayList<CompletionStage<HttpResponse<PreparedBody>>>();
        for (int i = 0; i < Math.max(1, Runtime.getRuntime().availableProcessors() / 2); i++) {
            Address client = new Address(4, 0, 0x0a000000L + i);
            responses.add(tables.rendered(request(client, new EmbeddedChannel()), () -> {
                begun.complete(true);
                awaitGate(gate);
                return notFound();
            }));
        }
        begun.get(5, TimeUnit.MINUTES);
        return responses;
    }

    /** While one client's first request is being rendered, it may have two more waiting; another client's waits behind those alone. */
    @Test
    void rendersThreePerClientAndDropsDepartedClients() throws Exception {
        var gate = new CountDownLatch(1);
        var rendered = new AtomicBoolean();
        List<CompletionStage<HttpResponse<PreparedBody>>> responses = occupy(gate);
        for (int i = 0; i < 3; i++) {
            responses.add(tables.rendered(request(ONE, new EmbeddedChannel()), this::notFound));
        }
        HttpResponse<PreparedBody> refused = tables.rendered(request(ONE, new EmbeddedChannel()), this::notFound)
                .toCompletableFuture()
                .get(5, TimeUnit.MINUTES);
        assertEquals(429, refused.code());
        String reason = new String(refused.body().segments().getFirst().joined(), StandardCharsets.UTF_8);
        assertTrue(reason.contains("Three of your requests are being rendered."), reason);
        responses.add(tables.rendered(request(OTHER, new EmbeddedChannel()), this::notFound));
        var gone = new EmbeddedChannel();
        CompletionStage<HttpResponse<PreparedBody>> dropped = tables.rendered(request(OTHER, gone), () -> {
            rendered.set(true);
            return notFound();
        });
        gone.close();
        gate.countDown();
        for (CompletionStage<HttpResponse<PreparedBody>> response : responses) {
            assertEquals(404, status(response));
        }
        assertEquals(499, status(dropped));
        assertFalse(rendered.get(), "nobody waits for it");
        assertEquals(404, status(tables.rendered(request(ONE, new EmbeddedChannel()), this::notFound)));
    }

    /** Its connections are on several event loops. */
    @Test
    void rendersThreePerClientAtOnce() throws Exception {
        var gate = new CountDownLatch(1);
        List<CompletionStage<HttpResponse<PreparedBody>>> others = occupy(gate);
        var responses = new ConcurrentLinkedQueue<CompletionStage<HttpResponse<PreparedBody>>>();
        int rounds = 20;
        for (int round = 0; round < rounds; round++) {
            var start = new CountDownLatch(1);
            try (ExecutorService loops = Executors.newFixedThreadPool(8)) {
                for (int i = 0; i < 8; i++) {
                    PublicRequest one = request(new Address(4, 0, 0x0a010000L + round), new EmbeddedChannel());
                    loops.execute(() -> {
                        awaitGate(start);
                        responses.add(tables.rendered(one, this::notFound));
                    });
                }
                start.countDown();
            }
        }
        gate.countDown();
        int rendered = 0;
        for (CompletionStage<HttpResponse<PreparedBody>> response : responses) {
            rendered += status(response) == 404 ? 1 : 0;
        }
        assertEquals(8 * rounds, responses.size());
        assertEquals(3 * rounds, rendered);
        for (CompletionStage<HttpResponse<PreparedBody>> other : others) {
            assertEquals(404, status(other));
        }
    }

    /** People behind one address look at the same page at once. */
    @Test
    void rendersEqualRequestsOnce() throws Exception {
        var gate = new CountDownLatch(1);
        var times = new AtomicInteger();
        List<CompletionStage<HttpResponse<PreparedBody>>> responses = occupy(gate);
        var first = new EmbeddedChannel();
        var equal = new ArrayList<CompletionStage<HttpResponse<PreparedBody>>>();
        for (int i = 0; i < 8; i++) {
            EmbeddedChannel connection = i == 0 ? first : new EmbeddedChannel();
            equal.add(tables.rendered(request(i < 6 ? ONE : OTHER, connection, "/equal"), () -> {
                times.incrementAndGet();
                return notFound();
            }));
        }
        responses.add(tables.rendered(request(ONE, new EmbeddedChannel()), this::notFound));
        responses.add(tables.rendered(request(ONE, new EmbeddedChannel()), this::notFound));
        assertEquals(429, status(tables.rendered(request(ONE, new EmbeddedChannel()), this::notFound)), "a fourth");
        first.close();
        gate.countDown();
        responses.addAll(equal.subList(1, equal.size()));
        for (CompletionStage<HttpResponse<PreparedBody>> response : responses) {
            assertEquals(404, status(response));
        }
        assertEquals(499, status(equal.getFirst()), "its connection has gone, and others wait");
        assertEquals(1, times.get());
    }

    /** A cache keeps the response for its max-age after its Date: both are of the request that gets it. */
    @Test
    void sharedRenderingStatesAgeOfEachRequest() throws Exception {
        var gate = new CountDownLatch(1);
        List<CompletionStage<HttpResponse<PreparedBody>>> others = occupy(gate);
        Snapshot snapshot = snapshots.current();
        var responses = new ArrayList<CompletionStage<HttpResponse<PreparedBody>>>();
        for (long afterMs : List.of(100L, 3_100L)) {
            SiteRequest read = SiteRequest.of(
                    "GET",
                    "/api/v1/latest",
                    "layout=columns",
                    List.of(),
                    null,
                    List.of(),
                    snapshot.generatedAtMs() + afterMs,
                    1);
            responses.add(tables.table(new PublicRequest(ONE, read, snapshot, false, new EmbeddedChannel())));
        }
        gate.countDown();
        var fields = new ArrayList<String>();
        for (CompletionStage<HttpResponse<PreparedBody>> response : responses) {
            fields.add(response.toCompletableFuture()
                    .get(5, TimeUnit.MINUTES)
                    .getHeaders()
                    .get("Cache-Control"));
        }
        assertEquals(
                List.of("public, max-age=4", "public, max-age=1"),
                fields.stream().map(field -> field.replaceAll(", stale.*", "")).toList());
        for (CompletionStage<HttpResponse<PreparedBody>> other : others) {
            assertEquals(404, status(other));
        }
    }

    private static void awaitGate(CountDownLatch gate) {
        try {
            assertTrue(gate.await(5, TimeUnit.MINUTES));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
