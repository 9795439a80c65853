package io.fundingobservatory.streams.client;

import io.fundingobservatory.runtime.AdminResponses;
import io.fundingobservatory.streams.core.Application;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepares an application to begin from scratch where a changelog is missing or truncated. Either it was lost,
 * or this release has another format and so another store.
 *
 * <p>With committed offsets alone Kafka Streams would continue from them, with an empty store and 30 days
 * missing. So the application's own topics are deleted. {@link LedgerLoader} brings back what they held. Offsets
 * of input topics stay, so that no event is published again.
 */
final class LedgerRebuild {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerRebuild.class);

    /** Another instance that was killed counts as a member until its session ends. */
    private static final Duration MEMBERS_LEAVE_WITHIN = Duration.ofSeconds(60);

    private final Admin admin;
    private final Application application;
    private final String instanceId;
    private final Duration membersLeaveWithin;

    /** {@code instanceId} is the one of this process: its threads are members under that id and a number. */
    LedgerRebuild(Admin admin, Application application, String instanceId) {
        this(admin, application, instanceId, MEMBERS_LEAVE_WITHIN);
    }

    /** One that waits so long for other instances to leave the group. */
    LedgerRebuild(Admin admin, Application application, String instanceId, Duration membersLeaveWithin) {
        this.admin = admin;
        this.application = application;
        this.instanceId = instanceId;
        this.membersLeaveWithin = membersLeaveWithin;
    }

    /**
     * Whether stores begin from scratch; the contents of the local directory are then of no use either.
     *
     * @throws StartFailure when other instances run: Kafka Streams would create a lost changelog again, empty, and no
     *     later start would find it lost
     */
    boolean prepare(BooleanSupplier givenUp) throws InterruptedException, ExecutionException {
        Map<String, TopicDescription> changelogs = AdminResponses.describe(admin, application.changelogs());
        var lost = new ArrayList<>(application.changelogs());
        lost.removeAll(changelogs.keySet());
        changelogs
                .keySet()
                .retainAll(application.ledgerStores().stream()
                        .map(application::changelog)
                        .toList());
        lost.addAll(truncated(admin, changelogs));
        if (lost.isEmpty()) {
            return false;
        }
        Set<TopicPartition> offsets = new HashSet<>(admin.listConsumerGroupOffsets(application.id())
                .partitionsToOffsetAndMetadata()
                .get()
                .keySet());
        if (offsets.isEmpty()) {
            return true;
        }
        if (!awaitEmptyGroup(givenUp)) {
            throw new StartFailure("changelogs " + lost + " of " + application.id()
                    + " are missing or truncated while other instances run; stop all of them, then start");
        }
        List<String> own = admin.listTopics().names().get().stream()
                .filter(topic -> topic.startsWith(application.id() + '-'))
                .toList();
        LOG.warn("stores are rebuilt application={} lost={} removed={}", application.id(), lost, own);
        // Before the topics: brokers do not know offsets of a topic that is gone.
        offsets.removeIf(partition -> !own.contains(partition.topic()));
        if (!offsets.isEmpty()) {
            admin.deleteConsumerGroupOffsets(application.id(), offsets).all().get();
        }
        admin.deleteTopics(own).all().get();
        return true;
    }

    /** Compaction never moves the start of a changelog: where it is not 0, records were deleted. */
    static Set<String> truncated(Admin admin, Map<String, TopicDescription> changelogs)
            throws InterruptedException, ExecutionException {
        var starts = new HashMap<TopicPartition, OffsetSpec>();
        changelogs.forEach((topic, description) -> description
                .partitions()
                .forEach(partition ->
                        starts.put(new TopicPartition(topic, partition.partition()), OffsetSpec.earliest())));
        var truncated = new TreeSet<String>();
        admin.listOffsets(starts).all().get().forEach((partition, start) -> {
            if (start.offset() > 0) {
                truncated.add(partition.topic());
            }
        });
        return truncated;
    }

    private boolean awaitEmptyGroup(BooleanSupplier givenUp) throws InterruptedException, ExecutionException {
        long deadline = System.nanoTime() + membersLeaveWithin.toNanos();
        removeOwn(members());
        while (!givenUp.getAsBoolean()) {
            if (members().isEmpty()) {
                return true;
            }
            if (System.nanoTime() > deadline) {
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        }
        return false;
    }

    private Collection<MemberDescription> members() throws InterruptedException, ExecutionException {
        return admin.describeConsumerGroups(List.of(application.id())).all().get().values().stream()
                .flatMap(group -> group.members().stream())
                .toList();
    }

    /** The former process ran under this one's id and is gone, but its members stay until their session ends. */
    private void removeOwn(Collection<MemberDescription> members) throws InterruptedException, ExecutionException {
        List<MemberToRemove> own = members.stream()
                .flatMap(member -> member.groupInstanceId().stream())
                .filter(id -> id.matches(Pattern.quote(instanceId) + "-\\d+"))
                .map(MemberToRemove::new)
                .toList();
        if (!own.isEmpty()) {
            admin.removeMembersFromConsumerGroup(application.id(), new RemoveMembersFromConsumerGroupOptions(own))
                    .all()
                    .get();
        }
    }
}
