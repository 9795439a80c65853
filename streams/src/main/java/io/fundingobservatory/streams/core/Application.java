package io.fundingobservatory.streams.core;

import java.util.List;

/**
 * One of the Kafka Streams applications of this service.
 *
 * @param id its consumer group; the names of its internal topics begin with it
 * @param stores the names of all its stores
 * @param ledgerStores those that are rebuilt where their changelog does not begin at offset 0: it has lost
 *     records then
 */
public record Application(String id, List<String> stores, List<String> ledgerStores) {
    public Application {
        stores = List.copyOf(stores);
        ledgerStores = List.copyOf(ledgerStores);
    }

    public List<String> changelogs() {
        return stores.stream().map(this::changelog).toList();
    }

    public String changelog(String store) {
        return id + '-' + store + "-changelog";
    }
}
