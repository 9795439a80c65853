package io.fundingobservatory.gateway;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Counts and times what the public port does. Labels are few: none of them is taken from a request as it was sent. */
@Singleton
final class PublicMeters {
    private final MeterRegistry meters;
    private final Map<Refusal, Counter> refused = new EnumMap<>(Refusal.class);
    private final Map<Answered, Timer> answered = new ConcurrentHashMap<>();

    /** What an answer is counted under. */
    private record Answered(String address, int status) {}

    PublicMeters(MeterRegistry meters) {
        this.meters = meters;
        for (Refusal why : Refusal.values()) {
            refused.put(
                    why,
                    Counter.builder("observatory.gateway.refused")
                            .description("requests refused and connections ended by this side")
                            .tag("reason", why.word())
                            .register(meters));
        }
    }

    void refused(Refusal why) {
        Objects.requireNonNull(refused.get(why)).increment();
    }

    /** Counts an answer and the time it took to make it. */
    void answered(AddressLabel address, int status, long nanos) {
        Timer timer = answered.computeIfAbsent(new Answered(address.word(), status), this::timer);
        timer.record(Duration.ofNanos(nanos));
    }

    private Timer timer(Answered of) {
        return Timer.builder("observatory.gateway.requests")
                .description("answers, and the time from the request's last byte until they are handed to the socket")
                .tag("address", of.address())
                .tag("status", Integer.toString(of.status()))
                .serviceLevelObjectives(
                        Duration.ofNanos(50_000),
                        Duration.ofNanos(200_000),
                        Duration.ofMillis(1),
                        Duration.ofMillis(5),
                        Duration.ofMillis(20),
                        Duration.ofMillis(100))
                .register(meters);
    }
}
