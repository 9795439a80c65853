package io.fundingobservatory.runtime;

import io.fundingobservatory.topics.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;

/**
 * How the brokers' topics differ from the catalogue. Topics that do not exist, or that this role may not see, are left out.
 *
 * @param differing one line for each topic that differs from the catalogue, by topic
 * @param fewerCopies one line for each topic with fewer copies than configured, by topic
 * @param unsafeWrites one line for each topic where a write counts with one copy although there are three, by topic
 * @param keptShorter one line for each topic whose records are deleted earlier than the catalogue states, by topic
 */
public record TopicAudit(
        Map<String, String> differing,
        Map<String, String> fewerCopies,
        Map<String, String> unsafeWrites,
        Map<String, String> keptShorter) {
    private static final String RETENTION = "retention.ms";

    /** What values depend on. Other settings may be an operator's own. */
    private static final List<String> COMPARED = List.of("cleanup.policy", "message.timestamp.type");

    /**
     * Compares the existing topics.
     *
     * @param replication copies of each topic as configured; {@link KafkaAccess#BROKERS_DEFAULT}: any number
     * @param creation what was just created, which is as catalogued. Brokers describe new partitions with a delay
     * @throws ExecutionException when the brokers do not respond; the cause has the reason
     */
    public static TopicAudit of(Admin admin, short replication, TopicCreation.Outcome creation)
            throws InterruptedException, ExecutionException {
        List<NewTopic> wanted = TopicCreation.catalogue(replication).stream()
                .filter(topic -> !creation.created().contains(topic.name()))
                .filter(topic -> !creation.grown().contains(topic.name()))
                .toList();
        Map<String, TopicDescription> existing = AdminResponses.describe(
                admin, wanted.stream().map(NewTopic::name).toList());
        var configs = admin.describeConfigs(
                        existing.keySet().stream().map(TopicAudit::resource).toList())
                .values();
        var audit = new TopicAudit(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
        for (NewTopic topic : wanted) {
            TopicDescription found = existing.get(topic.name());
            KafkaFuture<Config> config = configs.get(resource(topic.name()));
            if (found != null && config != null) {
                audit.compare(topic, found, AdminResponses.orNull(config));
            }
        }
        return audit;
    }

    private static ConfigResource resource(String topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic);
    }

    private void compare(NewTopic wanted, TopicDescription found, @Nullable Config config) {
        String name = wanted.name();
        var differences = new ArrayList<String>();
        int partitions = found.partitions().size();
        boolean mayBeMore = name.equals(Topics.VENUES_ASSIGNMENT.name());
        if (mayBeMore ? partitions < wanted.numPartitions() : partitions != wanted.numPartitions()) {
            differences.add(partitions + " partitions instead of " + wanted.numPartitions());
        }
        int copies = found.partitions().get(0).replicas().size();
        if (config != null) {
            compare(wanted, config, differences);
            if (copies >= 3 && "1".equals(AdminResponses.value(config, TopicCreation.IN_SYNC))) {
                unsafeWrites.put(name, TopicCreation.IN_SYNC + "=1: a write counts with one copy, 2 are safe");
            }
        }
        if (copies < wanted.replicationFactor()) {
            fewerCopies.put(name, copies + " copies of each record, " + wanted.replicationFactor() + " are configured");
        }
        if (!differences.isEmpty()) {
            differing.put(name, String.join(", ", differences));
        }
    }

    private void compare(NewTopic wanted, Config found, List<String> differences) {
        for (String key : COMPARED) {
            String expected = wanted.configs().get(key);
            String value = AdminResponses.value(found, key);
            if (value != null && expected != null && !value.equals(expected)) {
                differences.add(key + "=" + value + " instead of " + expected);
            }
        }
        String expected = wanted.configs().get(RETENTION);
        String kept = AdminResponses.value(found, RETENTION);
        if (kept != null && expected != null && isShorter(kept, expected)) {
            keptShorter.put(wanted.name(), RETENTION + "=" + kept + ", the catalogue says " + expected);
        }
    }

    /** A negative retention keeps records for ever. */
    private static boolean isShorter(String keptMs, String expectedMs) {
        long kept = Long.parseLong(keptMs);
        return kept >= 0 && kept < Long.parseLong(expectedMs);
    }
}
