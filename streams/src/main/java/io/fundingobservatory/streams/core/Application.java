package io.fundingobservatory.streams.core;

import java.util.List;

/**
 * One of the Kafka Streams applications of this service.
 *
 * @param id its consumer group; the names of its internal topics begin with it
 * @param stores the names of all its stores
 * @param required those without which it must not go on from its offsets; the others begin empty
 * @param reset what computes its state again: the word after {@code observatory reset}
 */
public record Application(String id, List<String> stores, List<String> required, String reset) {
    public Application {
        stores = List.copyOf(stores);
        required = List.copyOf(required);
    }

    /** The changelogs of all stores. */
    public List<String> changelogs() {
        return stores.stream().map(this::changelog).toList();
    }

    /** The changelogs of the required stores. */
    public List<String> requiredChangelogs() {
        return required.stream().map(this::changelog).toList();
    }

    public String changelog(String store) {
        return id + '-' + store + "-changelog";
    }
}
