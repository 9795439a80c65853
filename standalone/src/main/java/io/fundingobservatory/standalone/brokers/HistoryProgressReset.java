package io.fundingobservatory.standalone.brokers;

import io.fundingobservatory.runtime.CompactedTopic;
import io.fundingobservatory.runtime.InnermostCause;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.standalone.terminal.Stop;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.HistoryProgress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Deletes how far settled history has been read, so that ingest reads all 31 days again. */
final class HistoryProgressReset {
    private final KafkaAccess kafka;

    HistoryProgressReset(KafkaAccess kafka) {
        this.kafka = kafka;
    }

    /**
     * Ingest writes its progress while it runs.
     *
     * @param advice the end of the line
     * @throws Stop with one line when it runs, or when that is not known
     */
    void requireIngestStopped(String advice) throws InterruptedException {
        try (var admin =
                Admin.create(kafka.client(Map.of("request.timeout.ms", "10000", "default.api.timeout.ms", "10000")))) {
            List<String> groups = admin.listGroups(ListGroupsOptions.forConsumerGroups()).all().get().stream()
                    .map(GroupListing::groupId)
                    .filter(group -> group.startsWith(Topics.INGEST_GROUP))
                    .toList();
            admin.describeConsumerGroups(groups).all().get().forEach((group, described) -> {
                if (!described.members().isEmpty()) {
                    throw new Stop("ingest is running at " + kafka.bootstrapServers() + " (group " + group
                            + "): stop it first" + advice);
                }
            });
        } catch (ExecutionException | KafkaException e) {
            throw new Stop("whether ingest is running is not known at " + kafka.bootstrapServers() + ": "
                    + InnermostCause.typed(e));
        }
    }

    /** Deletes the progress of some venues, or of {@code all}; returns of how many contracts. */
    int forget(List<String> venues) throws InterruptedException {
        List<String> contracts = contracts(venues);
        try (var producer = new KafkaProducer<>(
                kafka.client(Map.of(
                        "acks",
                        "all",
                        "max.block.ms",
                        "10000",
                        "request.timeout.ms",
                        "10000",
                        "delivery.timeout.ms",
                        "30000")),
                new StringSerializer(),
                new ByteArraySerializer())) {
            for (String contract : contracts) {
                producer.send(new ProducerRecord<>(Topics.INGEST_PROGRESS.name(), contract, null))
                        .get();
            }
        } catch (ExecutionException | KafkaException e) {
            throw new Stop("no broker takes it at " + kafka.bootstrapServers() + ": " + InnermostCause.typed(e));
        }
        return contracts.size();
    }

    private List<String> contracts(List<String> venues) {
        try {
            return CompactedTopic.read(kafka, Topics.INGEST_PROGRESS).values().stream()
                    .filter(progress -> venues.contains("all") || venues.contains(progress.venue()))
                    .map(HistoryProgress::key)
                    .map(Object::toString)
                    .sorted()
                    .toList();
        } catch (KafkaException e) {
            throw new Stop(
                    "what has been read is not known at " + kafka.bootstrapServers() + ": " + InnermostCause.typed(e));
        }
    }
}
