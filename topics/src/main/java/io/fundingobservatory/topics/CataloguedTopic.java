package io.fundingobservatory.topics;

import java.util.HashMap;
import java.util.Map;

/** A topic of the catalogue, as the brokers see it. */
public interface CataloguedTopic {
    /** Returns its name. */
    String name();

    /** Returns the meaning of a key, for people. */
    String keyMeaning();

    /** Returns the number of partitions with which it is created. */
    int partitions();

    /** Returns how long records are kept. */
    Retention policy();

    /** Returns the most bytes of a record, key and headers included. */
    int largestRecord();

    /** Returns the topic's configuration as the broker takes it. */
    default Map<String, String> config() {
        return config(false);
    }

    /** Returns the same; whether partitions are bounded by size as well. */
    default Map<String, String> config(boolean boundedBySize) {
        var config = new HashMap<>(policy().config(boundedBySize));
        if (largestRecord() > Topics.USUAL_RECORD) {
            config.put("max.message.bytes", Integer.toString(largestRecord()));
        }
        return Map.copyOf(config);
    }
}
