package io.fundingobservatory.standalone.exchanges;

import io.fundingobservatory.ingest.client.HttpTransport;
import io.fundingobservatory.ingest.client.VenueHttpClient;
import io.fundingobservatory.testbed.sim.server.SimulatedExchanges;
import io.micronaut.context.ApplicationContext;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;

/** The exchanges as the service asks them, through the same client with its configuration and proxy, but without the service. */
public final class ExchangeAccess implements AutoCloseable {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final VenueHttpClient exchanges;

    private ExchangeAccess(boolean isLive) {
        ApplicationContext context = ApplicationContext.builder()
                .mainClass(ExchangeAccess.class)
                .banner(false)
                .deduceEnvironment(false)
                .start();
        open.push(context);
        HttpTransport http = context.getBean(HttpTransport.class);
        if (isLive) {
            exchanges = VenueHttpClient.live(http, InstantSource.system());
        } else {
            SimulatedExchanges simulated = SimulatedExchanges.start(0, 1, InstantSource.system());
            open.push(simulated);
            exchanges = VenueHttpClient.inPlaceOfThem(http, simulated.baseUrl(), InstantSource.system());
        }
    }

    /** The exchanges' own public APIs. */
    public static ExchangeAccess live() {
        return new ExchangeAccess(true);
    }

    /** Simulated exchanges in this process. */
    static ExchangeAccess simulated() {
        return new ExchangeAccess(false);
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
