package io.fundingobservatory.streams.client;

import io.fundingobservatory.runtime.AdminResponses;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicAudit;
import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.streams.core.Application;
import io.fundingobservatory.streams.core.StreamsMetrics;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the brokers have to provide before the topology starts. */
public final class Brokers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Brokers.class);
    private static final String TRANSACTION_VERSION = "transaction.version";

    private static final Duration TRY_AGAIN = Duration.ofSeconds(2);

    /** Topics of the catalogue that streams neither reads nor writes. */
    private static final Set<String> OTHERS = Set.of(Topics.INGEST_PROGRESS.name(), Topics.VENUES_STATUS.name());

    /** Everything that the topology reads and writes. */
    public static final List<String> NEEDED = Stream.concat(
                    Topics.typed().stream().map(Topic::name), Stream.of(Topics.DEAD_LETTERS.name()))
            .filter(name -> !OTHERS.contains(name))
            .toList();

    private final KafkaAccess kafka;
    private final Admin admin;
    private final BooleanSupplier givenUp;

    /** {@code givenUp} returns whether brokers that do not respond are waited for no longer. */
    public Brokers(KafkaAccess kafka, BooleanSupplier givenUp) {
        this.kafka = kafka;
        this.givenUp = givenUp;
        this.admin = Admin.create(kafka.client(Map.of(
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5_000)));
    }

    /** Makes the topics that are not there, as far as this role may, and compares the others with the catalogue. */
    public void prepareTopics() throws InterruptedException {
        LOG.info("streams is starting bootstrap_servers={}", kafka.bootstrapServers());
        requireAsCatalogued(created());
    }

    /** The same after topics were deleted. Waits for those that this role may not create again. */
    public void prepareTopicsAgain() throws InterruptedException {
        List<String> waitingFor = List.of();
        TopicCreation.Outcome topics = created();
        while (!topics.missing(NEEDED).isEmpty() && !givenUp.getAsBoolean()) {
            List<String> missing = topics.missing(NEEDED);
            if (!missing.equals(waitingFor)) {
                LOG.warn("waiting for topics topics={} reason=\"this role may not create them\"", missing);
                waitingFor = missing;
            }
            LockSupport.parkNanos(TRY_AGAIN.toNanos());
            topics = created();
        }
        requireAsCatalogued(topics);
    }

    /**
     * Takes threads out of their group, whose members they stay after they have ended. A member that joins again gets the assignment of
     * before, and so the error that its topics were missing, until its session ends.
     *
     * @param group the group of an application
     * @param members the static ids of its threads; those that are no members have no effect
     */
    public void leave(String group, List<String> members) throws InterruptedException {
        var removals = members.stream().map(MemberToRemove::new).toList();
        try {
            admin.removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions(removals))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            LOG.debug("some were no members of the group group={} reason={}", group, e.getMessage());
        }
    }

    private TopicCreation.Outcome created() throws InterruptedException {
        TopicCreation.Outcome topics =
                request("the topics cannot be created", () -> TopicCreation.ensure(admin, kafka.replicationFactor()));
        if (!topics.created().isEmpty()) {
            LOG.info("topics are created topics={}", topics.created());
        }
        return topics;
    }

    /** Another partition count splits a contract's records over tasks; other timestamps or policies falsify its window. */
    private void requireAsCatalogued(TopicCreation.Outcome topics) throws InterruptedException {
        List<String> missing = topics.missing(NEEDED);
        if (!missing.isEmpty()) {
            throw new StartFailure("topics " + missing + " are not there or not to be seen at "
                    + kafka.bootstrapServers() + ", and this role may not create them");
        }
        TopicAudit audit =
                request("the topics cannot be compared", () -> TopicAudit.of(admin, kafka.replicationFactor(), topics));
        for (var differences : List.of(audit.fewerCopies(), audit.unsafeWrites(), audit.keptShorter())) {
            differences.forEach((topic, how) ->
                    LOG.warn("topic differs from the catalogue topic={} difference=\"{}\"", topic, how));
        }
        audit.differing().forEach((topic, how) -> {
            if (NEEDED.contains(topic)) {
                throw new StartFailure("topic " + topic + " at " + kafka.bootstrapServers() + " has " + how
                        + "; results would be wrong: create it again as `observatory topics` prints it");
            }
        });
    }

    /** The first version of transactions let a delayed record of an aborted one slip into the next. */
    public void requireTransactionsV2() throws InterruptedException {
        var features = request(
                "the brokers do not return their features",
                () -> admin.describeFeatures().featureMetadata().get().finalizedFeatures());
        var transactions = features.get(TRANSACTION_VERSION);
        short level = transactions == null ? 0 : transactions.maxVersionLevel();
        if (level < 2) {
            throw new StartFailure("the brokers at " + kafka.bootstrapServers() + " run " + TRANSACTION_VERSION + "="
                    + level + ", 2 is needed: kafka-features.sh upgrade --feature " + TRANSACTION_VERSION + "=2");
        }
    }

    /** How many copies the application's internal topics get, as far as the brokers tell. */
    public short copies() throws InterruptedException {
        return request(
                "the brokers do not return their settings",
                () -> TopicCreation.copies(admin, kafka.replicationFactor()));
    }

    /**
     * Whether the stores of an application begin from scratch, and have to be filled from the topics of results.
     *
     * @param instanceId the one of this process
     */
    public boolean prepareStores(Application application, String instanceId) throws InterruptedException {
        return request(
                "the stores cannot be prepared",
                () -> new LedgerRebuild(admin, application, instanceId).prepare(givenUp));
    }

    /** What brings back the contents of lost stores. */
    public LedgerLoader loader(StreamsMetrics metrics) {
        return new LedgerLoader(kafka, admin, metrics, givenUp);
    }

    /** Whether a changelog of the application has lost its beginning. */
    public boolean isTruncated(Application application) throws InterruptedException {
        return request(
                "the changelogs cannot be described",
                () -> !LedgerRebuild.truncated(admin, AdminResponses.describe(admin, application.changelogs()))
                        .isEmpty());
    }

    /** The topic ids of an application's changelogs that exist, by name. */
    public Map<String, String> changelogs(Application application) throws InterruptedException {
        return request("the changelogs cannot be described", () -> {
            var ids = new HashMap<String, String>();
            AdminResponses.describe(admin, application.changelogs())
                    .forEach((name, topic) -> ids.put(name, topic.topicId().toString()));
            return Map.copyOf(ids);
        });
    }

    /** A request to the brokers; it can be repeated after a partial response. */
    @FunctionalInterface
    public interface Request<T> {
        T send() throws InterruptedException, ExecutionException;
    }

    /**
     * Repeats a request until the brokers respond: they may go away at any step of a start.
     *
     * @throws StartFailure when they refuse, or are waited for no longer
     */
    public <T> T request(String refused, Request<T> request) throws InterruptedException {
        while (true) {
            try {
                return request.send();
            } catch (ExecutionException | KafkaException e) {
                // Consumers throw the cause itself, an admin client wraps it, as does a producer whose transaction
                // failed.
                Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
                String reason = cause.getClass().getSimpleName() + " " + cause.getMessage();
                boolean passes = Stream.iterate(cause, Objects::nonNull, Throwable::getCause)
                        .anyMatch(RetriableException.class::isInstance);
                if (!passes || givenUp.getAsBoolean()) {
                    throw new StartFailure(refused + " at " + kafka.bootstrapServers() + ": " + reason);
                }
                LOG.info("waiting for brokers bootstrap_servers={} reason={}", kafka.bootstrapServers(), reason);
            }
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
