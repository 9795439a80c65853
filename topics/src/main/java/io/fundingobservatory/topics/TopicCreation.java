package io.fundingobservatory.topics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;

/** Creates what is missing of the catalogue, with explicit partition counts and policies; what exists is left as it is. */
public final class TopicCreation {
    /** Poison up to the broker's own limit has to fit into dead-letters together with its headers. */
    private static final String DEAD_LETTER_MAX_BYTES = Integer.toString(8 * 1024 * 1024);

    private static final String MAX_BYTES = "max.message.bytes";

    private TopicCreation() {}

    /** The whole catalogue as the broker takes it. */
    public static List<NewTopic> catalogue(short replication) {
        var topics = new ArrayList<NewTopic>();
        for (Topic<?> topic : Topics.typed()) {
            Map<String, String> config = new HashMap<>(topic.config());
            if (topic.equals(Topics.CARRY_PAIRS)) {
                config.put(MAX_BYTES, Integer.toString(Topics.LARGEST_TABLE));
            }
            topics.add(new NewTopic(topic.name(), topic.partitions(), replication).configs(config));
        }
        for (Topics.PlainTopic topic : Topics.plain()) {
            Map<String, String> config = new HashMap<>(topic.policy().config());
            if (topic.equals(Topics.DEAD_LETTERS)) {
                config.put(MAX_BYTES, DEAD_LETTER_MAX_BYTES);
            }
            topics.add(new NewTopic(topic.name(), topic.partitions(), replication).configs(config));
        }
        return topics;
    }

    /**
     * Creates every topic that does not exist yet.
     *
     * @return the names that were created
     */
    public static List<String> createMissing(Admin admin, short replication)
            throws InterruptedException, ExecutionException {
        var created = new ArrayList<String>();
        var results = admin.createTopics(catalogue(replication)).values();
        for (var result : results.entrySet()) {
            try {
                result.getValue().get();
                created.add(result.getKey());
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof TopicExistsException)) {
                    throw e;
                }
            }
        }
        created.sort(null);
        return created;
    }
}
