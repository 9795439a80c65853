package io.fundingobservatory.gateway.core;

import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which rows an answer is about. Names narrow and never widen beyond the exchanges named.
 *
 * @param venues identifiers of listed exchanges
 * @param assets asset names in upper case; null when none was named, which means all
 * @param symbols symbols in upper case; null when none was named, which means all
 * @param unreadable names that nothing answers to, by parameter, fit to be repeated
 */
record Scope(
        SortedSet<String> venues,
        @Nullable SortedSet<String> assets,
        @Nullable SortedSet<String> symbols,
        Map<String, List<String>> unreadable) {
    static final List<String> PARAMETERS = List.of("venues", "assets", "symbols");

    static final Scope DEFAULT = new Scope(ids(true), null, null, Map.of());
    static final Scope ALL = new Scope(ids(false), null, null, Map.of());

    private static SortedSet<String> ids(boolean onlyDefault) {
        var ids = new TreeSet<String>();
        for (ListedVenue venue : ListedVenue.ALL) {
            if (venue.defaultScope() || !onlyDefault) {
                ids.add(venue.id());
            }
        }
        return ids;
    }

    /**
     * The scope that names ask for.
     *
     * @param assetsKnown every asset name of the observation, upper case
     * @param symbolsKnown every symbol of the observation, upper case
     */
    static Scope of(Parameters.Names names, Set<String> assetsKnown, Set<String> symbolsKnown) {
        if (names.byParameter().isEmpty()) {
            return DEFAULT;
        }
        var unreadable = new TreeMap<String, List<String>>();
        var listed = new TreeSet<String>();
        ListedVenue.ALL.forEach(venue -> listed.add(venue.id()));
        SortedSet<String> venues = known(names, "venues", false, listed, unreadable);
        return new Scope(
                venues == null ? DEFAULT.venues : venues,
                known(names, "assets", true, assetsKnown, unreadable),
                known(names, "symbols", true, symbolsKnown, unreadable),
                unreadable);
    }

    private static @Nullable SortedSet<String> known(
            Parameters.Names names,
            String parameter,
            boolean upper,
            Set<String> known,
            Map<String, List<String>> unreadable) {
        Set<String> named = names.of(parameter);
        if (named == null) {
            return null;
        }
        var found = new TreeSet<String>();
        var unread = new ArrayList<String>();
        for (String name : named) {
            String canonical = upper ? upper(name) : name.toLowerCase(Locale.ROOT);
            if (known.contains(canonical)) {
                found.add(canonical);
            } else {
                unread.add(name);
            }
        }
        if (!unread.isEmpty()) {
            unreadable.put(parameter, Parameters.repeatable(unread));
        }
        return found;
    }

    /** Whether every row of the exchanges in scope belongs to it. */
    boolean wholeVenues() {
        return assets == null && symbols == null;
    }

    boolean holds(Rate row) {
        return (assets == null || assets.contains(upper(row.asset())))
                && (symbols == null || symbols.contains(upper(row.symbol())));
    }

    static String upper(String name) {
        return name.toUpperCase(Locale.ROOT);
    }

    /** Equal for requests that are answered alike. */
    String canonical() {
        return "latest?venues=" + venues + "&assets=" + assets + "&symbols=" + symbols + "&unreadable=" + unreadable;
    }
}
