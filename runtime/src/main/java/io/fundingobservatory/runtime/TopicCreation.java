package io.fundingobservatory.runtime;

import io.fundingobservatory.topics.CataloguedTopic;
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
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * Creates the topics of the catalogue that the brokers do not have, and adds partitions to the topic that grows with the list of venues.
 * It works with any rights, and reports what a role may not create or see. {@link TopicAudit} compares the existing topics.
 */
public final class TopicCreation {
    static final String IN_SYNC = "min.insync.replicas";
    private static final String BROKERS_COPIES = "default.replication.factor";

    private TopicCreation() {}

    /**
     * Result of the creation.
     *
     * @param created topics that were created
     * @param grown topics that received partitions
     * @param missing topics that do not exist and that this role may not create, or not see
     */
    public record Outcome(List<String> created, List<String> grown, List<String> missing) {
        /** Those of some topics that are missing here. */
        public List<String> missing(Collection<String> needed) {
            return missing.stream().filter(needed::contains).toList();
        }
    }

    /** What the brokers' disks hold. */
    public enum Disk {
        /** Every topic for as long as in the catalogue. */
        AMPLE,
        /** 5 GB in all: the topics of each quote and each row are bounded by size, and hold about two days of all exchanges. */
        SMALL
    }

    /** The whole catalogue as the broker takes it. */
    public static List<NewTopic> catalogue(short replication) {
        return catalogue(replication, Disk.AMPLE);
    }

    private static List<NewTopic> catalogue(short replication, Disk disk) {
        var topics = new ArrayList<NewTopic>();
        for (CataloguedTopic topic : Topics.all()) {
            var config = new HashMap<>(topic.config(disk == Disk.SMALL));
            config.putAll(writesToAtLeast(replication));
            topics.add(new NewTopic(topic.name(), topic.partitions(), replication).configs(config));
        }
        return topics;
    }

    /**
     * The topic setting by which a write counts only once two copies have it, where there are three or more.
     * With the brokers' default of one, an acknowledged record can be lost with a broker.
     */
    public static Map<String, String> writesToAtLeast(int copies) {
        return copies >= 3 ? Map.of(IN_SYNC, "2") : Map.of();
    }

    /** How many copies a topic gets; the brokers' own default where none is configured, and one where they do not report it. */
    public static short copies(Admin admin, short replication) throws InterruptedException, ExecutionException {
        if (replication != KafkaAccess.BROKERS_DEFAULT) {
            return replication;
        }
        var broker = new ConfigResource(
                ConfigResource.Type.BROKER,
                admin.describeCluster().nodes().get().iterator().next().idString());
        Map<ConfigResource, Config> response =
                AdminResponses.orNull(admin.describeConfigs(List.of(broker)).all());
        Config config = response == null ? null : response.get(broker);
        String copies = config == null ? null : AdminResponses.value(config, BROKERS_COPIES);
        return copies == null ? 1 : Short.parseShort(copies);
    }

    /**
     * Creates what is missing; may be called by several processes at once.
     *
     * @throws ExecutionException when the brokers do not respond; the cause has the reason
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
        Map<String, TopicDescription> existing = AdminResponses.describe(admin, wanted.keySet());
        wanted.keySet().removeAll(existing.keySet());
        var created = new ArrayList<String>();
        var missing = new ArrayList<String>();
        for (var response : admin.createTopics(wanted.values()).values().entrySet()) {
            try {
                response.getValue().get();
                created.add(response.getKey());
            } catch (ExecutionException e) {
                if (e.getCause() instanceof AuthorizationException) {
                    missing.add(response.getKey());
                } else if (!(e.getCause() instanceof TopicExistsException)) {
                    throw e;
                }
            }
        }
        created.sort(null);
        missing.sort(null);
        return new Outcome(List.copyOf(created), grown(admin, existing), List.copyOf(missing));
    }

    /**
     * Gives a venue that the list has gained since the topic was created its partition; without one no process would poll it. Empty when
     * the topic has its partitions, or when this role may not add any.
     */
    private static List<String> grown(Admin admin, Map<String, TopicDescription> existing)
            throws InterruptedException, ExecutionException {
        String name = Topics.VENUES_ASSIGNMENT.name();
        TopicDescription assignment = existing.get(name);
        int wanted = Topics.VENUES_ASSIGNMENT.partitions();
        if (assignment == null || assignment.partitions().size() >= wanted) {
            return List.of();
        }
        try {
            admin.createPartitions(Map.of(name, NewPartitions.increaseTo(wanted)))
                    .all()
                    .get();
            return List.of(name);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof InvalidPartitionsException) {
                return List.of(name); // another process was faster
            }
            if (e.getCause() instanceof AuthorizationException) {
                return List.of();
            }
            throw e;
        }
    }
}
