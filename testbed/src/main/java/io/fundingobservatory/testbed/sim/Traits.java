package io.fundingobservatory.testbed.sim;

import io.fundingobservatory.topics.records.ContractType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a venue can list and what its responses contain. The market model stays within it, and a round trip
 * expects no more.
 *
 * @param intervals funding intervals in hours that occur, each a divisor of 24
 * @param types margining that occurs
 * @param quotes quote currencies of linear contracts, the usual one first; inverse ones are quoted in USD
 * @param states states whose rows its responses contain (always with LIVE)
 * @param scales price scales that its names can express, e.g. 1 and 1000
 * @param unpublished fields that its responses never contain, so that a reader must leave them null
 * @param rateDecimals most decimals of the rate as a fraction of notional per interval
 * @param contracts contracts of a full simulated market of it, dead rows included
 * @param deadPerMille rows of a thousand in each state that it shows, LIVE and DATED excepted
 * @param fixedForH how many hours a rate is fixed for, at least for an interval; 0 where it is an estimate that moves
 */
public record Traits(
        List<Integer> intervals,
        Set<ContractType> types,
        List<String> quotes,
        Set<SimulatedContract.State> states,
        List<Integer> scales,
        Set<Unpublished> unpublished,
        int rateDecimals,
        int contracts,
        int deadPerMille,
        int fixedForH) {

    private static final int USUALLY_DEAD_PER_MILLE = 25;

    /** The usual CEX: linear USDT contracts settling every 1, 4 or 8 hours, 1000x names, dead rows, 8 decimals. */
    public static Traits usual(int contracts) {
        return new Traits(
                List.of(8, 4, 1),
                EnumSet.of(ContractType.LINEAR),
                List.of("USDT"),
                EnumSet.allOf(SimulatedContract.State.class),
                List.of(1, 1_000),
                EnumSet.noneOf(Unpublished.class),
                8,
                contracts,
                USUALLY_DEAD_PER_MILLE,
                0);
    }

    public Traits intervals(Integer... hours) {
        return new Traits(
                List.of(hours),
                types,
                quotes,
                states,
                scales,
                unpublished,
                rateDecimals,
                contracts,
                deadPerMille,
                fixedForH);
    }

    public Traits types(ContractType first, ContractType... more) {
        return new Traits(
                intervals,
                EnumSet.of(first, more),
                quotes,
                states,
                scales,
                unpublished,
                rateDecimals,
                contracts,
                deadPerMille,
                fixedForH);
    }

    public Traits quotes(String... currencies) {
        return new Traits(
                intervals,
                types,
                List.of(currencies),
                states,
                scales,
                unpublished,
                rateDecimals,
                contracts,
                deadPerMille,
                fixedForH);
    }

    /** The states other than LIVE. */
    public Traits states(SimulatedContract.State... besidesLive) {
        return new Traits(
                intervals,
                types,
                quotes,
                Set.of(besidesLive),
                scales,
                unpublished,
                rateDecimals,
                contracts,
                deadPerMille,
                fixedForH);
    }

    public Traits scales(Integer... coins) {
        return new Traits(
                intervals,
                types,
                quotes,
                states,
                List.of(coins),
                unpublished,
                rateDecimals,
                contracts,
                deadPerMille,
                fixedForH);
    }

    public Traits unpublished(Unpublished... facts) {
        return new Traits(
                intervals,
                types,
                quotes,
                states,
                scales,
                Set.of(facts),
                rateDecimals,
                contracts,
                deadPerMille,
                fixedForH);
    }

    public Traits rateDecimals(int decimals) {
        return new Traits(
                intervals, types, quotes, states, scales, unpublished, decimals, contracts, deadPerMille, fixedForH);
    }

    public Traits dead(int perMilleOfEachState) {
        return new Traits(
                intervals,
                types,
                quotes,
                states,
                scales,
                unpublished,
                rateDecimals,
                contracts,
                perMilleOfEachState,
                fixedForH);
    }

    /** Its rates are fixed when an interval begins. */
    public Traits fixed() {
        return fixedForHours(1);
    }

    /** Its rates are fixed for blocks of so many hours; all settlements of a block have one rate. */
    public Traits fixedForHours(int hours) {
        return new Traits(
                intervals, types, quotes, states, scales, unpublished, rateDecimals, contracts, deadPerMille, hours);
    }

    public boolean publishes(Unpublished fact) {
        return !unpublished.contains(fact);
    }

    /** A fact that some exchange leaves out. */
    public enum Unpublished {
        /** No settlement interval. */
        INTERVAL,
        /** No next settlement instant. */
        NEXT_FUNDING,
        /** No mark price. */
        MARK_PRICE,
        /** No index price. */
        INDEX_PRICE,
        /** No time of its own. */
        VENUE_TIME,
        /** The mark and the index are one value. */
        INDEX_IS_MARK,
        /** The published value is a quotient or product with a price: equal only to 15 digits. */
        EXACT_RATE
    }
}
