package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.core.coding.Segment;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.edge.ConnectionLimit;
import io.fundingobservatory.gateway.edge.RefusalMeters;
import io.fundingobservatory.gateway.edge.UnsentBytes;
import io.fundingobservatory.gateway.publishing.GatewayService;
import io.fundingobservatory.topics.ListedVenue;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.function.ToDoubleFunction;

/** Registers what is measured of the service and of the public port; the meters of refusals register themselves, with 0. */
@Singleton
record GatewayMeters(
        GatewayService service,
        MeterRegistry meters,
        ConnectionLimit connections,
        UnsentBytes unsent,
        RefusalMeters refusals,
        InstantSource clock)
        implements ApplicationEventListener<ServerStartupEvent> {
    @Override
    public void onApplicationEvent(ServerStartupEvent event) {
        Gauge.builder("observatory.gateway.rows", service, s -> of(s, Snapshot::rows, 0))
                .description("rows of the snapshot that is served")
                .register(meters);
        Gauge.builder("observatory.gateway.coverage", service, s -> of(s, Snapshot::coverage, 0))
                .description("exchanges with a row in the snapshot that is served")
                .register(meters);
        Gauge.builder("observatory.gateway.venues.open", clock, now -> ListedVenue.open(now.millis()))
                .description("listed exchanges that have not closed")
                .register(meters);
        Gauge.builder("observatory.gateway.snapshot.age", service, s -> of(s, this::ageS, Double.NaN))
                .description("seconds since the snapshot that is served was put together")
                .baseUnit("seconds")
                .register(meters);
        FunctionCounter.builder("observatory.gateway.generations", service, GatewayService::snapshotCount)
                .description("snapshots published")
                .register(meters);
        Gauge.builder("observatory.gateway.unsent.bytes", unsent, UnsentBytes::count)
                .description("bytes that sockets have not taken yet; shared ones count once for each reader")
                .baseUnit("bytes")
                .register(meters);
        Gauge.builder(
                        "observatory.gateway.answers.bytes",
                        Segment.ALLOCATOR,
                        allocator -> allocator.metric().usedDirectMemory())
                .description("memory outside the heap that bodies take")
                .baseUnit("bytes")
                .register(meters);
        Gauge.builder("observatory.gateway.connections", connections, ConnectionLimit::count)
                .description("open connections of the public port")
                .register(meters);
        FunctionCounter.builder("observatory.gateway.unreadable.records", service, GatewayService::poison)
                .description("records of the tables' topics that could not be read")
                .register(meters);
    }

    private double ageS(Snapshot snapshot) {
        return (clock.millis() - snapshot.generatedAtMs()) / 1000.0;
    }

    private static double of(GatewayService service, ToDoubleFunction<Snapshot> value, double without) {
        Snapshot snapshot = service.current();
        return snapshot == null ? without : value.applyAsDouble(snapshot);
    }
}
