package io.fundingobservatory.ingest.pacing;

import io.fundingobservatory.ingest.fetching.Call;
import io.fundingobservatory.ingest.fetching.Exchanges;
import io.fundingobservatory.ingest.fetching.Fetched;
import io.fundingobservatory.ingest.reading.Venue;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** An exchange behind its hosts' gates: a request goes out when our share has room for it, and its outcome is told to the gate. */
public final class ExchangeGate {
    /** What became of a wish to ask. */
    public sealed interface Asked {
        /** It was asked, and this is what came of it. */
        record Heard(Fetched fetched) implements Asked {}

        /** The host has closed its door; why and for how long. */
        record Shut(String reason) implements Asked {}

        /** Our share of the published limit has no room for it in time. */
        record NoRoom() implements Asked {}
    }

    private final Venue venue;
    private final Exchanges exchanges;
    private final Time time;
    private final Pacing limits;
    private final Map<String, RateLimitPool> gates = new HashMap<>();

    public ExchangeGate(Venue venue, Exchanges exchanges, Time time, Pacing limits) {
        this.venue = venue;
        this.exchanges = exchanges;
        this.time = time;
        this.limits = limits;
    }

    public Asked ask(Call call, long mayWaitMs) throws InterruptedException {
        return ask(call, 0, mayWaitMs);
    }

    /**
     * Asks when there is room.
     *
     * @param kept what is left of our share for the figures of the polls to come
     * @param mayWaitMs how long it may wait for room
     */
    public Asked ask(Call call, int kept, long mayWaitMs) throws InterruptedException {
        RateLimitPool gate = gates.computeIfAbsent(hostOf(call.url()), this::gate);
        String closed = gate.closedBecause(time.elapsedMs());
        if (closed != null) {
            long seconds = (gate.closedForMs(time.elapsedMs()) + 999) / 1000;
            return new Asked.Shut(closed + ", not asked again for " + seconds + " s");
        }
        long wait = gate.waitMs(call.weight(), kept, time.elapsedMs());
        if (wait > mayWaitMs) {
            return new Asked.NoRoom();
        }
        if (wait > 0) {
            time.pause(Duration.ofMillis(wait));
        }
        gate.spend(call.weight(), time.elapsedMs());
        Fetched fetched = exchanges.fetch(venue, call);
        switch (fetched) {
            case Fetched.Answered answered -> gate.answered();
            case Fetched.Throttled(String reason, Duration retryAfter) ->
                gate.throttled(reason, retryAfter, time.elapsedMs());
            case Fetched.Barred(String reason, Duration retryAfter) ->
                gate.barred(reason, retryAfter, time.elapsedMs());
            case Fetched.Failed failed -> {}
        }
        return new Asked.Heard(fetched);
    }

    private RateLimitPool gate(String host) {
        return switch (limits) {
            case PUBLISHED -> new RateLimitPool(host, venue.header().limits());
            case NONE -> RateLimitPool.uncounted();
        };
    }

    /** Whether a host has barred us for a while. */
    public boolean barring() {
        return gates.values().stream().anyMatch(g -> g.barring(time.elapsedMs()));
    }

    public static String hostOf(String url) {
        try {
            return Objects.requireNonNullElse(new URI(url).getHost(), "");
        } catch (URISyntaxException e) {
            // asked all the same: the answer says what is wrong with it
            return "";
        }
    }
}
