package io.fundingobservatory.testbed.sim;

import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.topics.records.ContractType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The world that the simulated exchanges show: which contracts each one lists, and every value as a pure function of seed,
 * exchange, contract and instant. Prices of an asset agree between exchanges to a few hundredths of a percent.
 */
public final class SimulatedMarket {
    /** A second quote currency has only the most traded assets. */
    private static final int FURTHER_QUOTE_CONTRACTS = 12;

    private static final int INVERSE_CONTRACTS = 20;
    private static final int QUANTO_CONTRACTS = 3;
    private static final int DATED_CONTRACTS = 2;

    private final long seed;
    private final Dispersion dispersion;
    private final Map<String, List<ContractModel>> contracts = new TreeMap<>();

    /** The market of these venues, all at one level. The same seed gives the same market at any time. */
    public SimulatedMarket(long seed, Iterable<Wire> wires) {
        this(seed, wires, Dispersion.NONE);
    }

    /** The market of these venues, which agree, each cut to the most traded assets. */
    public SimulatedMarket(long seed, Iterable<Wire> wires, int most) {
        this(seed, wires, Dispersion.NONE, most);
    }

    /** The market of these exchanges, which disagree so far. */
    public SimulatedMarket(long seed, Iterable<Wire> wires, Dispersion dispersion) {
        this(seed, wires, dispersion, Integer.MAX_VALUE);
    }

    /**
     * The market of these venues, each cut to the most traded assets.
     *
     * @param most how many contracts a venue lists at most; one of each kind and state always stays
     */
    public SimulatedMarket(long seed, Iterable<Wire> wires, Dispersion dispersion, int most) {
        this.seed = seed;
        this.dispersion = dispersion;
        wires.forEach(wire -> contracts.put(
                wire.venue(),
                contractsOf(
                        wire.venue(),
                        wire.traits(),
                        Math.min(most, wire.traits().contracts()))));
    }

    /** What an exchange lists at an instant. */
    public MarketSnapshot at(String venue, long nowMs) {
        List<ContractModel> listed = contracts.get(venue);
        if (listed == null) {
            throw new IllegalArgumentException("no simulated exchange: " + venue);
        }
        return new MarketSnapshot(
                nowMs, listed.stream().map(contract -> contract.at(nowMs)).toList());
    }

    private List<ContractModel> contractsOf(String venue, Traits traits, int size) {
        var contracts = new ArrayList<ContractModel>();
        long venueKey = Noise.mix(seed, venue);
        boolean linear = traits.types().contains(ContractType.LINEAR);
        for (int index = 0; index < traits.quotes().size() && linear; index++) {
            int most = index == 0 ? size : FURTHER_QUOTE_CONTRACTS;
            addAll(
                    contracts,
                    venueKey,
                    traits,
                    ContractType.LINEAR,
                    traits.quotes().get(index),
                    most);
        }
        if (traits.types().contains(ContractType.INVERSE)) {
            int most = linear ? INVERSE_CONTRACTS : size;
            addAll(contracts, venueKey, traits, ContractType.INVERSE, "USD", most);
        }
        if (traits.types().contains(ContractType.QUANTO)) {
            addAll(contracts, venueKey, traits, ContractType.QUANTO, "USD", QUANTO_CONTRACTS);
        }
        return contracts.size() <= size ? contracts : withinSize(contracts, size);
    }

    /** Leaves out from the end of the longest list, so that every kind of contract stays. */
    private static List<ContractModel> withinSize(List<ContractModel> contracts, int size) {
        var kept = new ArrayList<ContractModel>();
        int surplus = contracts.size() - size;
        ContractModel first = contracts.getFirst();
        for (int i = contracts.size() - 1; i >= 0; i--) {
            ContractModel contract = contracts.get(i);
            boolean longest =
                    contract.type() == first.type() && contract.quote().equals(first.quote());
            if (surplus > 0 && longest && i >= State.values().length + DATED_CONTRACTS) {
                surplus--;
            } else {
                kept.add(contract);
            }
        }
        return List.copyOf(kept.reversed());
    }

    private void addAll(
            List<ContractModel> to, long venueKey, Traits traits, ContractType type, String quote, int most) {
        int count = 0;
        for (String asset : Assets.ALL) {
            long key = Noise.mix(Noise.mix(venueKey, asset), quote + type);
            if (count == most || (count > 20 && Noise.among(key, 120))) {
                continue;
            }
            int scale = scaleOf(traits, asset, key);
            to.add(contract(key, venueKey, traits, asset, scale, quote, type, stateOf(traits, key, count)));
            if (count < DATED_CONTRACTS && traits.states().contains(State.DATED)) {
                to.add(contract(key + 1, venueKey, traits, asset, scale, quote, type, State.DATED));
            }
            count++;
        }
    }

    private ContractModel contract(
            long key,
            long venueKey,
            Traits traits,
            String asset,
            int scale,
            String quote,
            ContractType type,
            State state) {
        long assetKey = Noise.mix(seed, asset);
        return new ContractModel(
                traits,
                dispersion,
                key,
                venueKey,
                assetKey,
                Assets.basePrice(seed, asset),
                asset,
                scale,
                quote,
                type,
                state);
    }

    private static int scaleOf(Traits traits, String asset, long key) {
        int rank = Assets.TINY.indexOf(asset);
        return rank < 0
                ? 1
                : traits.scales().get(Noise.pick(key + 31, traits.scales().size()));
    }

    /** The most traded ones always trade; one dead row of each kind follows, then some by chance. */
    private static State stateOf(Traits traits, long key, int position) {
        var dead = new ArrayList<State>(EnumSet.allOf(State.class));
        dead.removeIf(state ->
                state == State.LIVE || state == State.DATED || !traits.states().contains(state));
        int afterTop = position - 4;
        if (afterTop < 0) {
            return State.LIVE;
        }
        if (afterTop < dead.size()) {
            return dead.get(afterTop);
        }
        int which = Noise.pick(key + 37, 1_000) / traits.deadPerMille();
        return which < dead.size() && afterTop > 20 ? dead.get(which) : State.LIVE;
    }
}
