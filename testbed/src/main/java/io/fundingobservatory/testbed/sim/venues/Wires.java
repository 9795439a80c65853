package io.fundingobservatory.testbed.sim.venues;

import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.topics.ListedVenue;
import java.util.List;

/** The wire of every listed venue. {@link ListedVenue#ALL} is the list; the wire of {@code binance} is {@code BinanceWire}. */
public final class Wires {
    private static final List<Wire> ALL =
            ListedVenue.ALL.stream().map(Wires::wire).toList();

    private Wires() {}

    /** Returns the wires in the order of the list. */
    public static List<Wire> all() {
        return ALL;
    }

    /** Returns the wire of a listed venue. */
    public static Wire of(String venue) {
        return ALL.get(ListedVenue.ALL.indexOf(ListedVenue.of(venue)));
    }

    private static Wire wire(ListedVenue venue) {
        try {
            Class<? extends Wire> wire = Class.forName(Wires.class.getPackageName() + "." + venue.className() + "Wire")
                    .asSubclass(Wire.class);
            return venue.instance() == null
                    ? wire.getDeclaredConstructor().newInstance()
                    : wire.getDeclaredConstructor(ListedVenue.class).newInstance(venue);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no wire plays " + venue.id(), e);
        }
    }
}
