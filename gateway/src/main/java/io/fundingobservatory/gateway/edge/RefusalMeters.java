package io.fundingobservatory.gateway.edge;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** Counts what this side refused or ended, by reason. Responses are timed by the framework ({@code http.server.requests}). */
@Singleton
public final class RefusalMeters {
    private final Map<RefusalReason, Counter> refused = new EnumMap<>(RefusalReason.class);

    RefusalMeters(MeterRegistry meters) {
        for (RefusalReason why : RefusalReason.values()) {
            refused.put(
                    why,
                    Counter.builder("observatory.gateway.refused")
                            .description("requests refused and connections ended by this side")
                            .tag("reason", why.word())
                            .register(meters));
        }
    }

    public void refused(RefusalReason why) {
        Objects.requireNonNull(refused.get(why)).increment();
    }
}
