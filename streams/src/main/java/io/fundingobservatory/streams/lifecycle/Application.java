package io.fundingobservatory.streams.lifecycle;

import io.fundingobservatory.streams.pairs.PairsStores;
import io.fundingobservatory.streams.rates.ContractState;
import io.fundingobservatory.topics.Topics;
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
    public static final Application RATES =
            new Application(Topics.STREAMS_GROUP, List.of(ContractState.STORE), List.of(ContractState.STORE), "all");
    public static final Application PAIRS = new Application(
            Topics.PAIRS_GROUP, PairsStores.ALL, List.of(PairsStores.LEDGER, PairsStores.CONTRACTS), "pairs");

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
