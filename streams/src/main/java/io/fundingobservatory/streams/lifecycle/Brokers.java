package io.fundingobservatory.streams.lifecycle;

import io.fundingobservatory.runtime.AdminResponses;
import io.fundingobservatory.runtime.InnermostCause;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicAudit;
import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the brokers have to provide. Requests wait without end for brokers that are away: Kafka's client sends them again. */
public final class Brokers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Brokers.class);
    private static final String TRANSACTION_VERSION = "transaction.version";

    /** Everything that the topologies read and write. */
    private static final List<String> NEEDED = List.of(
            Topics.QUOTES_RAW.name(),
            Topics.SETTLEMENTS_RAW.name(),
            Topics.RATES_NORMALISED.name(),
            Topics.RATES_LATEST.name(),
            Topics.CONTRACT_EVENTS.name(),
            Topics.SETTLEMENTS.name(),
            Topics.CARRY_PAIRS.name(),
            Topics.VENUES_QUALITY.name(),
            Topics.DEAD_LETTERS.name());

    private final KafkaAccess kafka;
    private final Admin admin;

    public Brokers(KafkaAccess kafka) {
        this.kafka = kafka;
        this.admin = Admin.create(kafka.client(Map.of(
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                5_000,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                Integer.MAX_VALUE)));
    }

    /** A request to the brokers. */
    @FunctionalInterface
    private interface Request<T> {
        T send() throws InterruptedException, ExecutionException;
    }

    private <T> T request(String refused, Request<T> request) throws InterruptedException {
        try {
            return request.send();
        } catch (ExecutionException e) {
            throw new StartFailure(refused + " at " + kafka.bootstrapServers() + ": " + InnermostCause.typed(e));
        }
    }

    /**
     * Creates topics that are not there, as far as this role may, and compares the others with the catalogue.
     *
     * @return how many copies each internal topic gets, as far as the brokers tell
     * @throws StartFailure with one line where a topic is missing or differs, or transactions are of the first version
     */
    public short prepare() throws InterruptedException {
        LOG.info("streams is starting bootstrap_servers={}", kafka.bootstrapServers());
        TopicCreation.Outcome topics =
                request("the topics cannot be created", () -> TopicCreation.ensure(admin, kafka.replicationFactor()));
        if (!topics.created().isEmpty()) {
            LOG.info("topics are created topics={}", topics.created());
        }
        requireAsCatalogued(topics);
        requireTransactionsV2();
        return request(
                "the brokers do not return their settings",
                () -> TopicCreation.copies(admin, kafka.replicationFactor()));
    }

    /** Another partition count splits a contract's records over tasks; other timestamps or policies falsify its window. */
    private void requireAsCatalogued(TopicCreation.Outcome topics) throws InterruptedException {
        List<String> missing = topics.missing(NEEDED);
        if (!missing.isEmpty()) {
            throw new StartFailure(
                    "topics " + missing + " are not there or not to be seen at " + kafka.bootstrapServers()
                            + ", and this role may not create them: run `observatory topics --create`");
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
    private void requireTransactionsV2() throws InterruptedException {
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

    /** The topics that are missing now. */
    List<String> missingTopics() throws InterruptedException {
        return request("the topics cannot be described", () -> {
            Map<String, ?> found = AdminResponses.describe(admin, NEEDED);
            return NEEDED.stream().filter(topic -> !found.containsKey(topic)).toList();
        });
    }

    /** The required changelogs that the application had and that are missing: {@link LostState}. */
    List<String> lostState(Application application) throws InterruptedException {
        return request("the changelogs cannot be described", () -> LostState.of(admin, application));
    }

    /** The topic ids of an application's changelogs that exist, by name. */
    Map<String, String> changelogs(Application application) throws InterruptedException {
        return request("the changelogs cannot be described", () -> {
            var ids = new HashMap<String, String>();
            AdminResponses.describe(admin, application.changelogs())
                    .forEach((name, topic) -> ids.put(name, topic.topicId().toString()));
            return Map.copyOf(ids);
        });
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
