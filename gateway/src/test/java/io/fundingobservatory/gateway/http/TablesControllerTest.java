package io.fundingobservatory.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.request.SiteRequest;
import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.fixture.FixedSnapshots;
import io.fundingobservatory.gateway.traffic.Address;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpResponse;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.netty.channel.embedded.EmbeddedChannel;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

    private static PublicRequest request(Address client, EmbeddedChannel connection) {
        SiteRequest requests = SiteRequest.of("GET", "/nowhere", null, List.of(), null, List.of(), 0, 1);
        return new PublicRequest(client, requests, null, false, connection);
    }

    private SiteResponse notFound() {
        return site.errors().of(404, 0, null);
    }

    private static int status(CompletionStage<HttpResponse<PreparedBody>> response) throws Exception {
        return response.toCompletableFuture().get(10, TimeUnit.SECONDS).code();
    }

    /** While one client's first request is being rendered, it may have two more waiting; another client's waits behind those alone. */
    @Test
    void rendersThreePerClientAndDropsDepartedClients() throws Exception {
        var gate = new CountDownLatch(1);
        var begun = new CompletableFuture<Boolean>();
        var rendered = new AtomicBoolean();
        var responses = new ArrayList<CompletionStage<HttpResponse<PreparedBody>>>();
        for (int i = 0; i < Math.max(1, Runtime.getRuntime().availableProcessors() / 2); i++) {
            Address client = new Address(4, 0, 0x0a000000L + i);
            responses.add(tables.rendered(request(client, new EmbeddedChannel()), () -> {
                begun.complete(true);
                awaitGate(gate);
                return notFound();
            }));
        }
        begun.get(10, TimeUnit.SECONDS);
        for (int i = 0; i < 3; i++) {
            responses.add(tables.rendered(request(ONE, new EmbeddedChannel()), this::notFound));
        }
        assertEquals(429, status(tables.rendered(request(ONE, new EmbeddedChannel()), this::notFound)));
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

    private static void awaitGate(CountDownLatch gate) {
        try {
            assertTrue(gate.await(10, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
