package io.fundingobservatory.testbed.sim;

import io.fundingobservatory.testbed.sim.limits.LimitMeter;
import io.fundingobservatory.testbed.sim.limits.PoolUse;
import io.fundingobservatory.testbed.sim.limits.Refused;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One exchange as its front server answers, without a network and at any instant: its limits first, then what its wire says. In
 * virtual time a client asks it directly; over HTTP {@link SimulatedExchanges} does.
 */
public final class SimulatedExchange {
    private final Wire wire;
    private final SimulatedMarket market;
    private final Realism realism;
    private final LimitMeter meter;
    private final AtomicLong requests = new AtomicLong();
    private volatile Moment latest = new Moment(Long.MIN_VALUE, List.of());
    private volatile UnaryOperator<Moment> change = UnaryOperator.identity();

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

    /** What it answers to a request that comes at an instant, epoch ms. */
    public Reply ask(Call call, long nowMs) {
        long n = requests.incrementAndGet();
        long afterMs = realism.delays() ? Delays.ofMs(wire.venue(), call, n) : 0;
        Refused refused = meter.ask(call, nowMs);
        if (refused != null && realism.limits()) {
            @Nullable String page = refused.body();
            return new Reply(refused.status(), refused.headers(), page == null ? wire.throttledBody() : page, afterMs);
        }
        Moment moment = moment(nowMs);
        if (realism.newListings() && NewListings.refuses(wire, call, moment)) {
            return new Reply(wire.refusesInBand() ? 200 : 400, Map.of(), wire.errorBody(), afterMs);
        }
        @Nullable String body = wire.answer(call, moment);
        if (body == null) {
            return new Reply(404, Map.of(), wire.errorBody(), afterMs);
        }
        meter.answered(call, body, nowMs);
        return new Reply(wire.status(body), meter.usage(call, nowMs), body, afterMs);
    }

    /** Everything that it lists; one moment for all that is asked within a second, so that the answers of one poll fit together. */
    public Moment moment(long nowMs) {
        long second = Math.floorDiv(nowMs, 1_000) * 1_000;
        Moment moment = latest;
        if (moment.nowMs() != second) {
            moment = change.apply(market.at(wire.venue(), second));
            latest = moment;
        }
        return moment;
    }

    /** Lists something else from now on. */
    public void change(UnaryOperator<Moment> next) {
        change = next;
        latest = new Moment(Long.MIN_VALUE, List.of());
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
