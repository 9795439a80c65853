package io.fundingobservatory.ingest.venues;

import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.topics.ListedVenue;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The reader of every listed venue. {@link ListedVenue#ALL} is the list; the reader of {@code binance} is {@code Binance}. */
public final class Registry {
    private static final List<Venue> ALL = ListedVenue.ALL.stream()
            .map(Registry::reader)
            .filter(Objects::nonNull)
            .toList();

    private static final Map<String, Venue> BY_ID =
            ALL.stream().collect(Collectors.toMap(venue -> venue.spec().id(), Function.identity()));

    private Registry() {}

    /** Returns the readers of the listed venues, in the order of the list. */
    public static List<Venue> all() {
        return ALL;
    }

    /** Returns the readers of the listed venues that have not closed; epoch ms UTC. */
    public static List<Venue> open(long nowMs) {
        return open(ListedVenue.ALL, nowMs);
    }

    static List<Venue> open(List<ListedVenue> listed, long nowMs) {
        return listed.stream()
                .filter(venue -> !venue.isClosed(nowMs))
                .map(venue -> BY_ID.get(venue.id()))
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns the reader of a venue; null when it has none. */
    public static @Nullable Venue find(String id) {
        return BY_ID.get(id);
    }

    private static @Nullable Venue reader(ListedVenue venue) {
        try {
            Class<? extends Venue> reader = Class.forName(Registry.class.getPackageName() + "." + venue.className())
                    .asSubclass(Venue.class);
            return venue.instance() == null
                    ? reader.getDeclaredConstructor().newInstance()
                    : reader.getDeclaredConstructor(ListedVenue.class).newInstance(venue);
        } catch (ClassNotFoundException e) {
            return null;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the reader of " + venue.id() + " cannot be made", e);
        }
    }
}
