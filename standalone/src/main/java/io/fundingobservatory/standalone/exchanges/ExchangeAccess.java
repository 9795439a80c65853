package io.fundingobservatory.standalone.exchanges;

import io.fundingobservatory.gateway.publishing.GatewayService.StartingBroker;
import io.fundingobservatory.ingest.client.HttpTransport;
import io.fundingobservatory.ingest.client.VenueHttpClient;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.standalone.terminal.Stop;
import io.fundingobservatory.testbed.sim.server.SimulatedExchanges;
import io.micronaut.context.ApplicationContext;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** The exchanges as the service polls them, through the same client with its configuration and proxy, but without the service. */
public final class ExchangeAccess implements AutoCloseable {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final VenueHttpClient exchanges;

    private ExchangeAccess(BiFunction<HttpTransport, Deque<AutoCloseable>, VenueHttpClient> client) {
        ApplicationContext context = context();
        open.push(context);
        exchanges = client.apply(context.getBean(HttpTransport.class), open);
    }

    /**
     * The beans of the services. A gateway that waits for a broker for ever reads no tables and records no lists.
     *
     * @throws Stop when a service refuses its settings
     */
    static ApplicationContext context() {
        try {
            return ApplicationContext.builder()
                    .mainClass(ExchangeAccess.class)
                    .banner(false)
                    .deduceEnvironment(false)
                    .singletons(new StartingBroker(new CompletableFuture<>()))
                    .start();
        } catch (RuntimeException e) {
            throw Stop.of(e);
        }
    }

    /** The exchanges' own public APIs. */
    public static ExchangeAccess live() {
        return new ExchangeAccess((http, open) -> VenueHttpClient.live(http, InstantSource.system()));
    }

    /** Simulated exchanges in this process. */
    static ExchangeAccess simulated() {
        return new ExchangeAccess((http, open) -> {
            SimulatedExchanges simulated = SimulatedExchanges.start(0, 1, InstantSource.system());
            open.push(simulated);
            return VenueHttpClient.inPlaceOfThem(http, simulated.baseUrl(), InstantSource.system());
        });
    }

    /**
     * The readers of the exchanges named; when none is, those of all that have not closed.
     *
     * @throws Stop when one has no reader
     */
    public static List<Venue> readers(List<String> venues) {
        if (venues.isEmpty()) {
            return Registry.open(System.currentTimeMillis());
        }
        var readers = new ArrayList<Venue>();
        for (String id : venues) {
            Venue reader = Registry.find(id);
            if (reader == null) {
                throw new Stop("no reader for " + id + "; there is one for: "
                        + Registry.all().stream().map(v -> v.spec().id()).collect(Collectors.joining(" ")));
            }
            readers.add(reader);
        }
        return readers;
    }

    /** The client, within the published limits; closed with this. */
    public VenueHttpClient exchanges() {
        return exchanges;
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                System.err.println("observatory: did not stop cleanly: " + e);
            }
        }
    }
}
