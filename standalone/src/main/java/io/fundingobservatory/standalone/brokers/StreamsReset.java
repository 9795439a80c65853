package io.fundingobservatory.standalone.brokers;

import io.fundingobservatory.runtime.InnermostCause;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.standalone.terminal.Stop;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Lets {@code streams} compute its state again from the raw topics, as Kafka's own application reset does. All instances must be
 * stopped.
 *
 * <p>The group of {@code pairs} is deleted last. Until then a start finds offsets without changelogs, so a reset that
 * was interrupted is noticed; it can be repeated at any step.
 */
public final class StreamsReset implements AutoCloseable {
    private static final List<String> GROUPS = List.of(Topics.STREAMS_GROUP, Topics.PAIRS_GROUP);
    private static final List<String> PAIRS_LOSE = List.of(
            "estimates of venues without settled history, and of all venues those not yet settled",
            "hours that a settlement closed, where only its announcement gave them",
            "the distribution of estimate errors, which begins again");
    private static final List<String> ALL_LOSES = List.of(
            "listing numbers, which begin at 0 again; settlements of former listings count for the present one",
            "the removal of rows of contracts that are no longer quoted: ignore rows of rates.latest older than 600 s");

    /** Static members outlive an orderly stop by their session, 45 s at most. */
    private static final Duration EMPTY_WITHIN = Duration.ofSeconds(60);

    private static final Duration GONE_WITHIN = Duration.ofSeconds(60);
    private static final Duration LOOKS_EVERY = Duration.ofMillis(200);

    private final String brokers;
    private final Admin admin;
    private final Consumer<String> lines;
    private final Duration emptyWithin;

    /** {@code lines} receives one line for each step and for each loss. */
    public StreamsReset(KafkaAccess kafka, Consumer<String> lines) {
        this(kafka, lines, EMPTY_WITHIN);
    }

    /** One that waits so long for members to leave. */
    StreamsReset(KafkaAccess kafka, Consumer<String> lines, Duration emptyWithin) {
        this.brokers = kafka.bootstrapServers();
        this.lines = lines;
        this.emptyWithin = emptyWithin;
        this.admin = Admin.create(
                kafka.clientPreferring(Map.of("request.timeout.ms", "10000", "default.api.timeout.ms", "30000")));
    }

    /** A step, and the line that reports it. */
    record Step(String done, Action action) {
        @FunctionalInterface
        interface Action {
            void run() throws InterruptedException, ExecutionException;
        }
    }

    /** The ledger, tables and errors are computed again; the contracts with their listing numbers stay. */
    public void pairs() throws InterruptedException {
        run(stepsOfPairs());
        PAIRS_LOSE.forEach(loss -> lines.accept("lost: " + loss));
    }

    /** Contracts as well. Quotes are read again from ten minutes ago on, settlements from the beginning. */
    public void all() throws InterruptedException {
        run(stepsOfAll());
        Stream.concat(PAIRS_LOSE.stream(), ALL_LOSES.stream()).forEach(loss -> lines.accept("lost: " + loss));
    }

    /** Removes the members of both groups at once: for a caller that knows that no instance runs. */
    public void removeMembers() throws InterruptedException {
        for (String group : GROUPS) {
            if (!members(group).isEmpty()) {
                orNothing(() -> admin.removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions())
                        .all());
            }
        }
    }

    List<Step> stepsOfPairs() {
        return List.of(
                new Step("internal topics of pairs are deleted", () -> deleteInternalTopics(Topics.PAIRS_GROUP)),
                new Step(Topics.CONTRACT_EVENTS.name() + " is emptied", this::emptyEvents),
                new Step(
                        Topics.SETTLEMENTS_RAW.name() + " will be read by rates from its beginning",
                        this::readSettlementsAgain),
                new Step("group of pairs is deleted", () -> deleteGroup(Topics.PAIRS_GROUP)));
    }

    List<Step> stepsOfAll() {
        return List.of(
                new Step("internal topics of pairs are deleted", () -> deleteInternalTopics(Topics.PAIRS_GROUP)),
                new Step("internal topics of rates are deleted", () -> deleteInternalTopics(Topics.STREAMS_GROUP)),
                new Step(Topics.CONTRACT_EVENTS.name() + " is emptied", this::emptyEvents),
                new Step("group of rates is deleted", () -> deleteGroup(Topics.STREAMS_GROUP)),
                new Step("group of pairs is deleted", () -> deleteGroup(Topics.PAIRS_GROUP)));
    }

    /**
     * Takes steps in their order.
     *
     * @throws Stop with one line where instances run, or brokers refuse or do not respond
     */
    void run(List<Step> steps) throws InterruptedException {
        try {
            requireStopped();
            for (Step step : steps) {
                step.action().run();
                lines.accept(step.done());
            }
        } catch (ExecutionException | KafkaException e) {
            throw new Stop("the reset is not complete at " + brokers + "; repeat it: " + InnermostCause.typed(e));
        }
    }

    /**
     * Waits up to 60 s until no instance is a member of either group.
     *
     * @throws Stop with one line that names the members that are left
     */
    void requireStopped() throws InterruptedException {
        long deadline = System.nanoTime() + emptyWithin.toNanos();
        boolean waits = false;
        for (String group : GROUPS) {
            for (Set<String> members = members(group); !members.isEmpty(); members = members(group)) {
                if (System.nanoTime() > deadline) {
                    throw new Stop("group " + group + " has members " + members + " at " + brokers
                            + ": stop all instances of streams, then repeat");
                }
                if (!waits) {
                    waits = true;
                    lines.accept("waiting up to " + emptyWithin.toSeconds() + " s until members " + members + " of "
                            + group + " have left");
                }
                LockSupport.parkNanos(LOOKS_EVERY.toNanos());
            }
        }
    }

    private Set<String> members(String group) throws InterruptedException {
        try {
            ConsumerGroupDescription described = Objects.requireNonNull(
                    admin.describeConsumerGroups(List.of(group)).all().get().get(group));
            return described.members().stream()
                    .map(member -> member.groupInstanceId().orElse(member.consumerId()) + member.host())
                    .collect(Collectors.toSet());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return Set.of();
            }
            throw new Stop("whether instances run is not known at " + brokers + ": " + InnermostCause.typed(e));
        }
    }

    private void deleteInternalTopics(String group) throws InterruptedException, ExecutionException {
        Set<String> internal = internalTopics(group);
        for (KafkaFuture<Void> deletion :
                admin.deleteTopics(internal).topicNameValues().values()) {
            orNothing(() -> deletion);
        }
        long deadline = System.nanoTime() + GONE_WITHIN.toNanos();
        while (!internalTopics(group).isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new Stop(
                        "topics " + internalTopics(group) + " are not gone at " + brokers + "; repeat the reset");
            }
            LockSupport.parkNanos(LOOKS_EVERY.toNanos());
        }
    }

    private Set<String> internalTopics(String group) throws InterruptedException, ExecutionException {
        return admin.listTopics().names().get().stream()
                .filter(name -> name.startsWith(group + '-'))
                .collect(Collectors.toSet());
    }

    /** Events that are not yet processed come again: {@code rates} forwards all settlements and reports all contracts. */
    private void emptyEvents() throws InterruptedException, ExecutionException {
        var ends = new HashMap<TopicPartition, RecordsToDelete>();
        offsets(Topics.CONTRACT_EVENTS.name(), Topics.CONTRACT_EVENTS.partitions(), OffsetSpec.latest())
                .forEach((partition, end) -> ends.put(partition, RecordsToDelete.beforeOffset(end.offset())));
        admin.deleteRecords(ends).all().get();
    }

    private void readSettlementsAgain() throws InterruptedException, ExecutionException {
        var beginnings = new HashMap<TopicPartition, OffsetAndMetadata>();
        offsets(Topics.SETTLEMENTS_RAW.name(), Topics.SETTLEMENTS_RAW.partitions(), OffsetSpec.earliest())
                .forEach((partition, begin) -> beginnings.put(partition, new OffsetAndMetadata(begin.offset())));
        admin.alterConsumerGroupOffsets(Topics.STREAMS_GROUP, beginnings).all().get();
    }

    private Map<TopicPartition, ListOffsetsResultInfo> offsets(String topic, int partitions, OffsetSpec which)
            throws InterruptedException, ExecutionException {
        return admin.listOffsets(IntStream.range(0, partitions)
                        .mapToObj(partition -> new TopicPartition(topic, partition))
                        .collect(Collectors.toMap(partition -> partition, partition -> which)))
                .all()
                .get();
    }

    private void deleteGroup(String group) throws InterruptedException {
        orNothing(() -> admin.deleteConsumerGroups(List.of(group)).all());
    }

    @FunctionalInterface
    private interface Request {
        KafkaFuture<?> send();
    }

    /** Of what an earlier attempt has deleted already, nothing is left to do. */
    private void orNothing(Request request) throws InterruptedException {
        try {
            request.send().get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof GroupIdNotFoundException
                    || e.getCause() instanceof UnknownTopicOrPartitionException)) {
                throw new Stop("the reset is not complete at " + brokers + "; repeat it: " + InnermostCause.typed(e));
            }
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
