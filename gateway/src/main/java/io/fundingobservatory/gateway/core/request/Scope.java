package io.fundingobservatory.gateway.core.request;

import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which rows a response is about. Names narrow and never widen beyond the exchanges named.
 *
 * @param named whether exchanges were named; otherwise the default scope counts
 * @param venues identifiers of listed exchanges
 * @param assets asset names in upper case; null when none was named, which means all
 * @param symbols symbols in upper case; null when none was named, which means all
 * @param selection which of these rows belong to it by their values
 * @param unreadable names that match nothing, by parameter, fit to be repeated
 */
public record Scope(
        boolean named,
        SortedSet<String> venues,
        @Nullable SortedSet<String> assets,
        @Nullable SortedSet<String> symbols,
        Selection selection,
        Map<String, List<String>> unreadable) {
    /** Names every listed exchange; none of them is called so. */
    public static final String EVERY_VENUE = "all";

    /** The exchanges that are served where nobody names any: every asset and symbol of those of the default scope. */
    public static final Scope DEFAULT = new Scope(false, ids(true), null, null, Selection.ALL, Map.of());

    public static final Scope ALL = new Scope(true, ids(false), null, null, Selection.ALL, Map.of());

    private static SortedSet<String> ids(boolean onlyDefault) {
        return ListedVenue.ALL.stream()
                .filter(venue -> venue.defaultScope() || !onlyDefault)
                .map(ListedVenue::id)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * The scope of requested names.
     *
     * @param assetKnown whether there is an asset of that name, upper case
     * @param symbolKnown whether there is a symbol of that name, upper case
     */
    public static Scope of(Query query, Predicate<String> assetKnown, Predicate<String> symbolKnown) {
        if (query.names().isEmpty()) {
            return DEFAULT;
        }
        var unreadable = new TreeMap<String, List<String>>();
        SortedSet<String> venues =
                known(query, "venues", false, id -> id.equals(EVERY_VENUE) || ListedVenue.isListed(id), unreadable);
        return new Scope(
                venues != null,
                venues == null ? DEFAULT.venues : venues.contains(EVERY_VENUE) ? ALL.venues : venues,
                known(query, "assets", true, assetKnown, unreadable),
                known(query, "symbols", true, symbolKnown, unreadable),
                query.selection(),
                unreadable);
    }

    /**
     * What unreadable names may have meant, as {@code assets=BTC}, by name; those of which nothing is near are not in it.
     *
     * @param assetKnown whether there is an asset of that name, upper case
     * @param symbolKnown whether there is a symbol of that name, upper case
     */
    public SortedMap<String, String> meant(Predicate<String> assetKnown, Predicate<String> symbolKnown) {
        var meant = new TreeMap<String, String>();
        unreadable.forEach((parameter, names) -> {
            for (String name : names) {
                String near = NearMiss.of(parameter, name, assetKnown, symbolKnown);
                if (near != null) {
                    meant.put(name, near);
                }
            }
        });
        return meant;
    }

    private static @Nullable SortedSet<String> known(
            Query query,
            String parameter,
            boolean upper,
            Predicate<String> known,
            Map<String, List<String>> unreadable) {
        Set<String> named = query.names().get(parameter);
        if (named == null) {
            return null;
        }
        var found = new TreeSet<String>();
        var unread = new ArrayList<String>();
        for (String name : named) {
            String canonical = upper ? upper(name) : name.toLowerCase(Locale.ROOT);
            if (known.test(canonical)) {
                found.add(canonical);
            } else {
                unread.add(name);
            }
        }
        if (!unread.isEmpty()) {
            unreadable.put(parameter, Query.repeatable(unread));
        }
        return found;
    }

    /** {@code default}, {@code all}, or that some exchanges were named. */
    public String kind() {
        return !named ? "default" : venues.size() == ALL.venues.size() ? "all" : "named";
    }

    public SortedSet<String> outside() {
        var outside = new TreeSet<>(ALL.venues);
        outside.removeAll(venues);
        return outside;
    }

    public Scope atEveryVenue() {
        return new Scope(true, ALL.venues, assets, symbols, selection, unreadable);
    }

    /** The same with rows of any values. */
    public Scope unselected() {
        return new Scope(named, venues, assets, symbols, Selection.ALL, unreadable);
    }

    /** The assets that were named, or where none was, the symbols, of which none of these is a row. */
    public SortedSet<String> without(Stream<Rate> rows) {
        SortedSet<String> named = assets != null ? assets : symbols;
        var without = named == null ? new TreeSet<String>() : new TreeSet<>(named);
        rows.forEach(row -> without.remove(upper(assets != null ? row.asset() : row.symbol())));
        return without;
    }

    /** Whether nearly all clients request it: the default scope, or all venues, with every row. */
    public boolean isCommon() {
        return equals(DEFAULT) || equals(ALL);
    }

    public boolean namesContracts() {
        return assets != null || symbols != null;
    }

    public boolean namesSomeVenues() {
        return named && venues.size() < ALL.venues.size();
    }

    /** Whether every row of the exchanges in scope belongs to it. */
    public boolean wholeVenues() {
        return assets == null && symbols == null && !selects();
    }

    /** Whether rows belong to it by their values. */
    public boolean selects() {
        return !selection.equals(Selection.ALL);
    }

    /** Whether a row of an exchange in scope belongs to it: its asset and symbol are named, where any are, and it is selected. */
    public boolean holds(Rate row) {
        return (assets == null || assets.contains(upper(row.asset())))
                && (symbols == null || symbols.contains(upper(row.symbol())))
                && selection.holds(row);
    }

    /** The form in which names of assets and symbols are compared. */
    public static String upper(String name) {
        return name.toUpperCase(Locale.ROOT);
    }
}
