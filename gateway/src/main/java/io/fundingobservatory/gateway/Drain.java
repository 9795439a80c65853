package io.fundingobservatory.gateway;

import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.runtime.event.annotation.EventListener;
import io.micronaut.runtime.server.event.ServerShutdownEvent;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the public port in order: not ready first, then no more connections, then the answers under way, and only then the rest. */
@Singleton
final class Drain {
    private static final Logger LOG = LoggerFactory.getLogger(Drain.class);

    private final PublicPort port;
    private final PortSettings settings;
    private volatile boolean begun;

    Drain(PublicPort port, PortSettings settings) {
        this.port = port;
        this.settings = settings;
    }

    /** Whether this process is stopping. */
    boolean begun() {
        return begun;
    }

    @EventListener
    @Order(Ordered.HIGHEST_PRECEDENCE)
    void serverStops(ServerShutdownEvent event) {
        drain();
    }

    @EventListener
    @Order(Ordered.HIGHEST_PRECEDENCE)
    void contextStops(ShutdownEvent event) {
        drain();
    }

    private synchronized void drain() {
        // After the context has stopped, its server's own event makes beans anew that never served.
        if (begun || !port.served()) {
            return;
        }
        begun = true;
        try {
            TimeUnit.MILLISECONDS.sleep(settings.drainDelay().toMillis());
            int open = port.connections().count();
            int cut = port.close(settings.drainTimeout());
            if (open > 0) {
                LOG.info("public port closed connections={} cut_off={}", open, cut);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
