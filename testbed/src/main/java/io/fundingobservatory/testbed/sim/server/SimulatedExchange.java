package io.fundingobservatory.testbed.sim.server;

import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedMarket;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.testbed.sim.limits.LimitMeter;
import io.fundingobservatory.testbed.sim.limits.OverLimitResponse;
import io.fundingobservatory.testbed.sim.limits.PoolUse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One exchange as its front server responds, without a network and at any instant: its limits first, then what its wire returns. In
 * virtual time a client calls it directly; over HTTP {@link SimulatedExchanges} does.
 */
public final class SimulatedExchange {
    private final Wire wire;
    private final SimulatedMarket market;
    private final Realism realism;
    private final LimitMeter meter;
    private final AtomicLong requests = new AtomicLong();
    private volatile MarketSnapshot latest = new MarketSnapshot(Long.MIN_VALUE, List.of());

    /** An exchange of a market that lists it. */
    public SimulatedExchange(Wire wire, SimulatedMarket market, Realism realism) {
        this.wire = wire;
        this.market = market;
        this.realism = realism;
        this.meter = new LimitMeter(wire.venue());
    }

    public Wire wire() {
        return wire;
    }

    /** What it returns to a request that comes at an instant, epoch ms. */
    public SimulatedResponse respond(SimulatedRequest request, long nowMs) {
        long n = requests.incrementAndGet();
        long afterMs = realism.delays() ? Delays.ofMs(wire.venue(), request, n) : 0;
        OverLimitResponse refused = meter.admit(request, nowMs);
        if (refused != null && realism.limits()) {
            @Nullable String page = refused.body();
            return new SimulatedResponse(
                    refused.status(),
                    refused.headers(),
                    page == null ? wire.errors().throttledBody() : page,
                    afterMs);
        }
        MarketSnapshot moment = moment(nowMs);
        if (realism.newListings() && NewListings.rejects(wire, request, moment)) {
            return new SimulatedResponse(wire.errors().inBand() ? 200 : 400, Map.of(), wire.errorBody(), afterMs);
        }
        @Nullable String body = wire.response(request, moment);
        if (body == null) {
            return new SimulatedResponse(404, Map.of(), wire.errorBody(), afterMs);
        }
        meter.responded(request, body, nowMs);
        return new SimulatedResponse(wire.status(body), meter.usage(request, nowMs), body, afterMs);
    }

    /**
     * Returns all contracts at one instant. Requests within a second share it, so that the responses of one
     * poll are consistent.
     */
    public MarketSnapshot moment(long nowMs) {
        long second = Math.floorDiv(nowMs, 1_000) * 1_000;
        MarketSnapshot moment = latest;
        if (moment.nowMs() != second) {
            moment = market.at(wire.venue(), second);
            latest = moment;
        }
        return moment;
    }

    /** How many requests it has seen. */
    public long requests() {
        return requests.get();
    }

    /** What has been drawn on each of its pools. */
    public List<PoolUse> use() {
        return meter.use();
    }
}
