package io.fundingobservatory.standalone.exchanges;

import io.fundingobservatory.ingest.fetching.HttpExchangeClient;
import io.fundingobservatory.ingest.http.ExchangeHttp;
import io.fundingobservatory.testbed.sim.server.SimulatedExchanges;
import io.micronaut.context.ApplicationContext;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;

/** The exchanges as the service asks them, through the same client with its configuration and proxy, but without the service. */
public final class ExchangeAccess implements AutoCloseable {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final HttpExchangeClient exchanges;

    private ExchangeAccess(boolean isLive) {
        ApplicationContext context = ApplicationContext.builder()
                .mainClass(ExchangeAccess.class)
                .banner(false)
                .deduceEnvironment(false)
                .start();
        open.push(context);
        ExchangeHttp http = context.getBean(ExchangeHttp.class);
        if (isLive) {
            exchanges = HttpExchangeClient.live(http, InstantSource.system());
        } else {
            SimulatedExchanges simulated = SimulatedExchanges.start(0, 1, InstantSource.system());
            open.push(simulated);
            exchanges = HttpExchangeClient.inPlaceOfThem(http, simulated.baseUrl(), InstantSource.system());
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
    public HttpExchangeClient exchanges() {
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
