package io.fundingobservatory.ingest.polling;

import io.fundingobservatory.ingest.fetching.Exchanges;
import io.fundingobservatory.ingest.fetching.Fetched;
import io.fundingobservatory.ingest.pacing.Time;
import io.fundingobservatory.ingest.reading.Node;
import io.fundingobservatory.ingest.reading.Refusal;
import io.fundingobservatory.ingest.reading.Venue;
import io.fundingobservatory.testbed.sim.Call;
import io.fundingobservatory.testbed.sim.Moment;
import io.fundingobservatory.testbed.sim.SimulatedMarket;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.testbed.sim.limits.LimitMeter;
import io.fundingobservatory.testbed.sim.limits.PoolUse;
import io.fundingobservatory.testbed.sim.limits.Refused;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One simulated exchange without a network, at a virtual time, behind the limits that the exchange publishes: what is asked beyond them
 * is refused as the exchange refuses it. Outcomes are judged as the HTTP client judges them.
 */
final class StrictAnswers implements Exchanges {
    static final long ROUND_TRIP_MS = 200;

    private final Wire wire;
    private final SimulatedMarket market;
    private final Time time;
    private final LimitMeter meter;
    private Function<io.fundingobservatory.ingest.fetching.Call, @Nullable Fetched> instead = call -> null;

    StrictAnswers(Wire wire, long seed, Time time) {
        this.wire = wire;
        this.market = new SimulatedMarket(seed, List.of(wire));
        this.time = time;
        this.meter = new LimitMeter(wire.venue());
    }

    /** What some calls are answered with instead; null for those that go to the exchange. */
    void instead(Function<io.fundingobservatory.ingest.fetching.Call, @Nullable Fetched> answer) {
        instead = answer;
    }

    List<PoolUse> use() {
        return meter.use();
    }

    @Override
    public Fetched fetch(Venue venue, io.fundingobservatory.ingest.fetching.Call call) throws InterruptedException {
        time.pause(Duration.ofMillis(ROUND_TRIP_MS));
        Call asked = asked(call);
        Refused refused = meter.ask(asked, time.nowMs());
        if (refused != null) {
            String reason = "HTTP " + refused.status();
            return refused.status() == 403 || refused.status() == 418
                    ? new Fetched.Barred(reason, null)
                    : new Fetched.Throttled(reason, null);
        }
        Fetched other = instead.apply(call);
        if (other != null) {
            return other;
        }
        Moment moment = market.at(wire.venue(), time.nowMs());
        String answer = wire.answer(asked, moment);
        if (answer == null) {
            return new Fetched.Failed("HTTP 404", false);
        }
        meter.answered(asked, answer, time.nowMs());
        try {
            Node node = Node.parse(answer.getBytes(StandardCharsets.UTF_8));
            Refusal refusal = venue.refusal(node);
            if (refusal != null) {
                return refusal.throttled()
                        ? new Fetched.Throttled("refused: " + refusal.reason(), null)
                        : new Fetched.Failed("refused: " + refusal.reason(), false);
            }
            return new Fetched.Answered(node, time.nowMs(), Map.copyOf(meter.usage(asked, time.nowMs())));
        } catch (IOException e) {
            return new Fetched.Failed(Node.problem(e), true);
        }
    }

    private static Call asked(io.fundingobservatory.ingest.fetching.Call call) {
        URI uri = URI.create(call.url());
        var query = new HashMap<String, String>();
        if (uri.getRawQuery() != null) {
            for (String pair : uri.getRawQuery().split("&")) {
                String[] halves = pair.split("=", 2);
                query.put(halves[0], halves.length < 2 ? "" : URLDecoder.decode(halves[1], StandardCharsets.UTF_8));
            }
        }
        return new Call(call.method(), uri.getHost(), uri.getPath(), query, call.body() == null ? "" : call.body());
    }
}
