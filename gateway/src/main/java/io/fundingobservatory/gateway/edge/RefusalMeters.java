package io.fundingobservatory.gateway.edge;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Counts what this side refused or ended, by reason. Responses are timed by the framework ({@code http.server.requests}). */
@Singleton
public final class RefusalMeters {
    /** Why a request was refused or a connection ended by this side. */
    public enum Reason {
        /** More requests than a client may send. */
        VOLUME,
        /** Many different names. */
        SWEEP,
        /** Not plainly one request without a body. */
        MALFORMED,
        /** The request did not arrive in time. */
        SLOW_REQUEST,
        /** The client did not read its response in time. */
        SLOW_READER,
        /** All connections are taken. */
        CONNECTIONS,
        /** The client's network holds as many connections as one may. */
        CLIENT_CONNECTIONS,
        /** Too many bytes are unsent. */
        MEMORY,
        /** Too many responses are being rendered. */
        RENDERING,
        /** The response failed: an internal error. */
        FAILED
    }

    private final Map<Reason, Counter> refused = new EnumMap<>(Reason.class);

    RefusalMeters(MeterRegistry meters) {
        for (Reason why : Reason.values()) {
            refused.put(
                    why,
                    Counter.builder("observatory.gateway.refused")
                            .description("requests refused and connections ended by this side")
                            .tag("reason", why.name().toLowerCase(Locale.ROOT))
                            .register(meters));
        }
    }

    public void refused(Reason why) {
        Objects.requireNonNull(refused.get(why)).increment();
    }
}
