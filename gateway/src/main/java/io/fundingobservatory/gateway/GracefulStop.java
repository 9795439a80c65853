package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.edge.ConnectionLimit;
import io.fundingobservatory.gateway.settings.PortSettings;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.core.order.Ordered;
import io.micronaut.runtime.graceful.GracefulShutdownConfiguration;
import io.micronaut.runtime.graceful.GracefulShutdownListener;
import io.micronaut.runtime.graceful.GracefulShutdownManager;
import jakarta.inject.Singleton;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extends the framework's graceful shutdown, which stops accepting connections and completes responses. Before that, this process is not ready
 * and still serves, for as long as a balancer needs to notice.
 */
@Singleton
@Replaces(GracefulShutdownListener.class)
final class GracefulStop implements ApplicationEventListener<ShutdownEvent>, Ordered {
    private static final Logger LOG = LoggerFactory.getLogger(GracefulStop.class);

    private final GracefulShutdownManager manager;
    private final GracefulShutdownConfiguration configuration;
    private final PortSettings settings;
    private final ConnectionLimit connections;
    private volatile boolean begun;

    GracefulStop(
            GracefulShutdownManager manager,
            GracefulShutdownConfiguration configuration,
            PortSettings settings,
            ConnectionLimit connections) {
        this.manager = manager;
        this.configuration = configuration;
        this.settings = settings;
        this.connections = connections;
    }

    boolean begun() {
        return begun;
    }

    @Override
    public void onApplicationEvent(ShutdownEvent event) {
        begun = true;
        try {
            TimeUnit.MILLISECONDS.sleep(settings.drainDelay().toMillis());
            int open = connections.count();
            manager.shutdownGracefully()
                    .toCompletableFuture()
                    .get(configuration.getGracePeriod().toMillis(), TimeUnit.MILLISECONDS);
            if (open > 0) {
                LOG.info("public port closed connections={}", open);
            }
        } catch (TimeoutException e) {
            LOG.warn("public port closed while responses were being sent cut_off={}", connections.count());
        } catch (ExecutionException e) {
            LOG.warn("the public port could not be closed in order cause={}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }
}
