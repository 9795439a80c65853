package io.fundingobservatory.ingest;

import io.fundingobservatory.runtime.CompactedTopic;
import io.fundingobservatory.runtime.InnermostCause;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicAudit;
import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the brokers have to provide before anything is polled: the topics that ingest writes, and no other source's values. */
final class BrokerReadiness {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerReadiness.class);
    private static final int BROKER_TIMEOUT_MS = 5_000;

    private static final List<String> NEEDED = List.of(
            Topics.QUOTES_RAW.name(),
            Topics.SETTLEMENTS_RAW.name(),
            Topics.VENUES_STATUS.name(),
            Topics.INGEST_PROGRESS.name(),
            Topics.VENUES_ASSIGNMENT.name());

    private final KafkaAccess kafka;
    private volatile Map<String, String> differing = Map.of();

    BrokerReadiness(KafkaAccess kafka) {
        this.kafka = kafka;
    }

    /**
     * Checks brokers and topics once. Returns what is still missing, in one line; null when nothing is.
     *
     * @throws StartRefused when waiting does not help
     */
    @Nullable
    String waitingFor(Source ours) throws InterruptedException {
        Map<String, Object> config = kafka.client(Map.of(
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, BROKER_TIMEOUT_MS,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, BROKER_TIMEOUT_MS));
        try (Admin admin = Admin.create(config)) {
            TopicCreation.Outcome topics = TopicCreation.ensure(admin, kafka.replicationFactor());
            TopicAudit audit = TopicAudit.of(admin, kafka.replicationFactor(), topics);
            if (!audit.differing().equals(differing)) {
                differing = Map.copyOf(audit.differing());
                differing.forEach((topic, how) ->
                        LOG.warn("topic differs from the catalogue topic={} difference=\"{}\"", topic, how));
            }
            requireSafeWrites(audit);
            List<String> missing = topics.missing(NEEDED);
            if (!missing.isEmpty()) {
                return "topics " + missing + ", which this role may not create or not see";
            }
            requireSource(ours);
            return null;
        } catch (ExecutionException | KafkaException e) {
            return "the broker: " + InnermostCause.typed(e);
        }
    }

    /**
     * Acknowledged records must be on two brokers where the installation has them.
     *
     * @throws StartRefused when a topic that ingest writes has fewer copies than configured, or takes a write with one
     */
    static void requireSafeWrites(TopicAudit audit) {
        for (String topic : NEEDED) {
            String fewer = audit.fewerCopies().get(topic);
            if (fewer != null) {
                throw new StartRefused("topic " + topic + " has " + fewer
                        + ": what is acknowledged could be lost; raise its copies with kafka-reassign-partitions.sh or set "
                        + KafkaAccess.PREFIX + ".replication-factor to what it has");
            }
            String unsafe = audit.unsafeWrites().get(topic);
            if (unsafe != null) {
                throw new StartRefused("topic " + topic + " has " + unsafe
                        + "; set it with kafka-configs.sh --bootstrap-server HOST:PORT --alter --topic " + topic
                        + " --add-config min.insync.replicas=2");
            }
        }
    }

    /** Values of another source on the same brokers would be summed and shown together with ours. */
    private void requireSource(Source ours) {
        CompactedTopic.read(kafka, Topics.VENUES_STATUS).values().stream()
                .map(VenueStatus::source)
                .filter(theirs -> theirs != ours)
                .findFirst()
                .ifPresent(theirs -> {
                    throw new StartRefused("the brokers at " + kafka.bootstrapServers() + " hold " + theirs
                            + " data, and this process observes " + ours
                            + " data; give each source brokers (or a data directory) of its own, or delete what"
                            + " these hold (compose: docker compose down --volumes)");
                });
    }

    /** Why ingest does not start and what to do, in one line. */
    static final class StartRefused extends RuntimeException {
        private static final long serialVersionUID = 1;

        StartRefused(String line) {
            super(line);
        }
    }
}
