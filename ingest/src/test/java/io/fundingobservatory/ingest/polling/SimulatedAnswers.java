package io.fundingobservatory.ingest.polling;

import io.fundingobservatory.ingest.answers.Node;
import io.fundingobservatory.ingest.answers.Refusal;
import io.fundingobservatory.ingest.fetching.ExchangeClient;
import io.fundingobservatory.ingest.fetching.Fetched;
import io.fundingobservatory.ingest.pacing.Time;
import io.fundingobservatory.ingest.reading.Venue;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedMarket;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Wire;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One simulated exchange without a network, at a virtual time; what it lists can be changed. Outcomes are judged as the HTTP client
 * judges them.
 */
final class SimulatedAnswers implements ExchangeClient {
    private final Wire wire;
    private final SimulatedMarket market;
    private final Time time;
    private UnaryOperator<MarketSnapshot> change = UnaryOperator.identity();
    private @Nullable MarketSnapshot latest;
    private long latestMs;

    SimulatedAnswers(Wire wire, long seed, Time time) {
        this.wire = wire;
        this.market = new SimulatedMarket(seed, List.of(wire));
        this.time = time;
    }

    void change(UnaryOperator<MarketSnapshot> next) {
        change = next;
        latest = null;
    }

    /** What it lists now; computed once for all requests of an instant. */
    MarketSnapshot moment() {
        long nowMs = time.nowMs();
        MarketSnapshot moment = latest;
        if (moment == null || latestMs != nowMs) {
            moment = change.apply(market.at(wire.venue(), nowMs));
            latest = moment;
            latestMs = nowMs;
        }
        return moment;
    }

    @Override
    public Fetched fetch(Venue venue, io.fundingobservatory.ingest.fetching.Call call) {
        URI uri = URI.create(call.url());
        var query = new HashMap<String, String>();
        if (uri.getRawQuery() != null) {
            for (String pair : uri.getRawQuery().split("&")) {
                String[] halves = pair.split("=", 2);
                query.put(halves[0], halves.length < 2 ? "" : URLDecoder.decode(halves[1], StandardCharsets.UTF_8));
            }
        }
        String body = call.body() == null ? "" : call.body();
        String answer =
                wire.answer(new SimulatedRequest(call.method(), uri.getHost(), uri.getPath(), query, body), moment());
        if (answer == null) {
            return new Fetched.Failed("HTTP 404", false);
        }
        try {
            Node node = Node.parse(answer.getBytes(StandardCharsets.UTF_8));
            Refusal refusal = venue.refusal(node);
            if (refusal == null) {
                return new Fetched.Answered(node, time.nowMs());
            }
            return refusal.throttled()
                    ? new Fetched.Throttled("refused: " + refusal.reason(), null)
                    : new Fetched.Failed("refused: " + refusal.reason(), false);
        } catch (IOException e) {
            return new Fetched.Failed(Node.problem(e), true);
        }
    }
}
