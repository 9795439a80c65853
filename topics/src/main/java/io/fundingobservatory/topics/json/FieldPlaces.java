package io.fundingobservatory.topics.json;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Where each field of a record is among its declared fields. */
final class FieldPlaces {
    private final List<String> names;
    private final Map<String, Integer> places = new HashMap<>();

    FieldPlaces(List<String> names) {
        this.names = List.copyOf(names);
        names.forEach(name -> places.put(name, places.size()));
    }

    /**
     * Returns the place of a field; negative when none is declared with this name.
     *
     * @param next where it is likely to be: writers and readers nearly always keep the declared order
     */
    int of(String name, int next) {
        return next < names.size() && names.get(next).equals(name) ? next : places.getOrDefault(name, -1);
    }
}
