package io.fundingobservatory.topics.kafka;

import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Brings the brokers' topics in line with the catalogue. It creates missing topics, adds partitions to a
 * topic that grows with the list of venues, and reports other differences. It works with any rights, and
 * reports what a role may not create or see.
 */
public final class TopicCreation {
    /** Poison up to the broker's own limit has to fit into dead-letters together with its headers. */
    private static final String DEAD_LETTER_MAX_BYTES = Integer.toString(8 * 1024 * 1024);

    private static final String MAX_BYTES = "max.message.bytes";
    private static final String RETENTION = "retention.ms";
    private static final String IN_SYNC = "min.insync.replicas";
    private static final String BROKERS_COPIES = "default.replication.factor";

    /** What values depend on. Other settings may be an operator's own. */
    private static final List<String> COMPARED = List.of("cleanup.policy", "message.timestamp.type");

    private TopicCreation() {}

    /**
     * Result of the comparison.
     *
     * @param created topics that were created
     * @param missing topics that do not exist and that this role may not create, or not see
     * @param differing one line for each topic that differs from the catalogue, by topic
     * @param fewerCopies one line for each topic with fewer copies than configured, or where a write counts
     *     with one copy although there are three, by topic
     * @param keptShorter one line for each topic whose records are deleted earlier than the catalogue states,
     *     by topic
     */
    public record Outcome(
            List<String> created,
            List<String> missing,
            Map<String, String> differing,
            Map<String, String> fewerCopies,
            Map<String, String> keptShorter) {
        /** Those of some topics that are missing here. */
        public List<String> missing(Collection<String> needed) {
            return missing.stream().filter(needed::contains).toList();
        }
    }

    /** What the brokers' disks hold. */
    public enum Disk {
        /** Every topic for as long as the catalogue says. */
        AMPLE,
        /** 5 GB in all: the topics of each quote and each row are bounded by size, and hold about two days of all exchanges. */
        SMALL
    }

    /** The whole catalogue as the broker takes it. */
    public static List<NewTopic> catalogue(short replication) {
        return catalogue(replication, Disk.AMPLE);
    }

    private static List<NewTopic> catalogue(short replication, Disk disk) {
        boolean boundedBySize = disk == Disk.SMALL;
        var topics = new ArrayList<NewTopic>();
        for (Topic<?> topic : Topics.typed()) {
            Map<String, String> config = new HashMap<>(topic.policy().config(boundedBySize));
            if (topic.equals(Topics.CARRY_PAIRS)) {
                config.put(MAX_BYTES, Integer.toString(Topics.LARGEST_TABLE));
            }
            topics.add(newTopic(topic.name(), topic.partitions(), replication, config));
        }
        for (Topics.PlainTopic topic : Topics.plain()) {
            Map<String, String> config = new HashMap<>(topic.policy().config(boundedBySize));
            if (topic.equals(Topics.DEAD_LETTERS)) {
                config.put(MAX_BYTES, DEAD_LETTER_MAX_BYTES);
            }
            topics.add(newTopic(topic.name(), topic.partitions(), replication, config));
        }
        return topics;
    }

    private static NewTopic newTopic(String name, int partitions, short replication, Map<String, String> config) {
        config.putAll(writesToAtLeast(replication));
        return new NewTopic(name, partitions, replication).configs(config);
    }

    /**
     * The topic setting by which a write counts only once two copies have it, where there are three or more.
     * With the brokers' default of one, an acknowledged record can be lost with a broker.
     */
    public static Map<String, String> writesToAtLeast(int copies) {
        return copies >= 3 ? Map.of(IN_SYNC, "2") : Map.of();
    }

    /** How many copies a topic gets; the brokers' own default where none is configured, and one where they do not tell it. */
    public static short copies(Admin admin, short replication) throws InterruptedException, ExecutionException {
        if (replication != KafkaAccess.BROKERS_DEFAULT) {
            return replication;
        }
        var broker = new ConfigResource(
                ConfigResource.Type.BROKER,
                admin.describeCluster().nodes().get().iterator().next().idString());
        Map<ConfigResource, Config> response =
                unless(admin.describeConfigs(List.of(broker)).all(), AuthorizationException.class);
        Config config = response == null ? null : response.get(broker);
        String copies = config == null ? null : value(config, BROKERS_COPIES);
        return copies == null ? 1 : Short.parseShort(copies);
    }

    /**
     * Creates what is missing and compares what is there; may be called by several processes at once.
     *
     * @throws ExecutionException when the brokers cannot be asked; the cause says why
     */
    public static Outcome ensure(Admin admin, short replication) throws InterruptedException, ExecutionException {
        return ensure(admin, replication, Disk.AMPLE);
    }

    /** The same; what is created fits the disk. */
    public static Outcome ensure(Admin admin, short replication, Disk disk)
            throws InterruptedException, ExecutionException {
        Map<String, NewTopic> wanted = new TreeMap<>();
        short copies = copies(admin, replication);
        // Named only where it is configured: the brokers' default may be more than is known here.
        catalogue(replication, disk).forEach(topic -> {
            var config = new HashMap<>(topic.configs());
            config.putAll(writesToAtLeast(copies));
            wanted.put(topic.name(), topic.configs(config));
        });
        Map<String, TopicDescription> there = describe(admin, wanted);
        var created = new ArrayList<String>();
        var missing = new ArrayList<String>();
        create(admin, wanted, there, created, missing);
        if (hasGrown(admin, there)) {
            // The brokers learn of the new partitions a moment later: what was described before is out of date.
            there.remove(Topics.VENUES_ASSIGNMENT.name());
        }
        var differing = new TreeMap<String, String>();
        var fewerCopies = new TreeMap<String, String>();
        var keptShorter = new TreeMap<String, String>();
        compare(admin, wanted, there, differing, keptShorter, fewerCopies);
        there.forEach((name, topic) -> {
            int found = topic.partitions().get(0).replicas().size();
            if (found < replication) {
                fewerCopies.put(name, found + " copies of each record, " + replication + " are configured");
            }
        });
        return new Outcome(List.copyOf(created), List.copyOf(missing), differing, fewerCopies, keptShorter);
    }

    private static Map<String, TopicDescription> describe(Admin admin, Map<String, NewTopic> wanted)
            throws InterruptedException, ExecutionException {
        var there = new TreeMap<String, TopicDescription>();
        for (var asked : admin.describeTopics(wanted.keySet()).topicNameValues().entrySet()) {
            TopicDescription topic =
                    unless(asked.getValue(), UnknownTopicOrPartitionException.class, AuthorizationException.class);
            if (topic != null) {
                there.put(asked.getKey(), topic);
            }
        }
        return there;
    }

    private static void create(
            Admin admin,
            Map<String, NewTopic> wanted,
            Map<String, TopicDescription> there,
            List<String> created,
            List<String> missing)
            throws InterruptedException, ExecutionException {
        List<NewTopic> absent = wanted.values().stream()
                .filter(topic -> !there.containsKey(topic.name()))
                .toList();
        for (var asked : admin.createTopics(absent).values().entrySet()) {
            try {
                asked.getValue().get();
                created.add(asked.getKey());
            } catch (ExecutionException e) {
                if (e.getCause() instanceof AuthorizationException) {
                    missing.add(asked.getKey());
                } else if (!(e.getCause() instanceof TopicExistsException)) {
                    throw e;
                }
            }
        }
        created.sort(null);
        missing.sort(null);
    }

    /**
     * Gives a venue that the list has gained since the topic was made its partition; without one nobody would poll it. False when there
     * was nothing to do, or when this role may not do it.
     */
    private static boolean hasGrown(Admin admin, Map<String, TopicDescription> there)
            throws InterruptedException, ExecutionException {
        String name = Topics.VENUES_ASSIGNMENT.name();
        TopicDescription assignment = there.get(name);
        int wanted = Topics.VENUES_ASSIGNMENT.partitions();
        if (assignment == null || assignment.partitions().size() >= wanted) {
            return false;
        }
        try {
            admin.createPartitions(Map.of(name, NewPartitions.increaseTo(wanted)))
                    .all()
                    .get();
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof InvalidPartitionsException) {
                return true; // another process was faster
            }
            if (e.getCause() instanceof AuthorizationException) {
                return false;
            }
            throw e;
        }
    }

    private static void compare(
            Admin admin,
            Map<String, NewTopic> wanted,
            Map<String, TopicDescription> there,
            Map<String, String> differing,
            Map<String, String> keptShorter,
            Map<String, String> fewerCopies)
            throws InterruptedException, ExecutionException {
        var configs = admin.describeConfigs(
                        there.keySet().stream().map(TopicCreation::resource).toList())
                .values();
        for (NewTopic topic : wanted.values()) {
            TopicDescription found = there.get(topic.name());
            KafkaFuture<Config> response = configs.get(resource(topic.name()));
            if (found == null || response == null) {
                continue;
            }
            var how = new ArrayList<String>();
            int partitions = found.partitions().size();
            boolean mayBeMore = topic.name().equals(Topics.VENUES_ASSIGNMENT.name());
            if (mayBeMore ? partitions < topic.numPartitions() : partitions != topic.numPartitions()) {
                how.add(partitions + " partitions instead of " + topic.numPartitions());
            }
            Config config = unless(response, UnknownTopicOrPartitionException.class, AuthorizationException.class);
            if (config != null) {
                compare(topic, config, how, keptShorter);
                if (found.partitions().get(0).replicas().size() >= 3 && "1".equals(value(config, IN_SYNC))) {
                    fewerCopies.put(topic.name(), IN_SYNC + "=1: a write counts with one copy, 2 are safe");
                }
            }
            if (!how.isEmpty()) {
                differing.put(topic.name(), String.join(", ", how));
            }
        }
    }

    private static ConfigResource resource(String topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic);
    }

    private static void compare(NewTopic wanted, Config found, List<String> how, Map<String, String> keptShorter) {
        for (String key : COMPARED) {
            String expected = wanted.configs().get(key);
            String value = value(found, key);
            if (value != null && expected != null && !value.equals(expected)) {
                how.add(key + "=" + value + " instead of " + expected);
            }
        }
        String expected = wanted.configs().get(RETENTION);
        String kept = value(found, RETENTION);
        if (kept != null && expected != null && isShorter(kept, expected)) {
            keptShorter.put(wanted.name(), RETENTION + "=" + kept + ", the catalogue says " + expected);
        }
    }

    private static @Nullable String value(Config config, String key) {
        ConfigEntry entry = config.get(key);
        return entry == null ? null : entry.value();
    }

    /** A negative retention keeps records for ever. */
    private static boolean isShorter(String keptMs, String expectedMs) {
        long kept = Long.parseLong(keptMs);
        return kept >= 0 && kept < Long.parseLong(expectedMs);
    }

    /** The response, or null when it is one of these refusals; anything else is thrown. */
    @SafeVarargs
    private static <T> @Nullable T unless(KafkaFuture<T> response, Class<? extends Exception>... expected)
            throws InterruptedException, ExecutionException {
        try {
            return response.get();
        } catch (ExecutionException e) {
            for (Class<? extends Exception> one : expected) {
                if (one.isInstance(e.getCause())) {
                    return null;
                }
            }
            throw e;
        }
    }
}
