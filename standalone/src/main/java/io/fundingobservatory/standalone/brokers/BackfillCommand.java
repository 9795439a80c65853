package io.fundingobservatory.standalone.brokers;

import io.fundingobservatory.runtime.CompactedTopic;
import io.fundingobservatory.runtime.InnermostCause;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.standalone.terminal.Stop;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.HistoryProgress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Deletes how far the settled history of exchanges has been read, so that ingest reads all 31 days again: after {@code settlements.raw}
 * was lost or emptied. Settlements that are there already are replaced by the same ones.
 */
@Command(
        name = "backfill",
        mixinStandardHelpOptions = true,
        description = {
            "Lets ingest read all 31 days of settled history of exchanges again.",
            "Stop ingest first, and start it afterwards: while it runs it writes how far it has read."
        })
public final class BackfillCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli injects it
    private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "VENUE", description = "Identifiers as in /api/v1/venues, or all.")
    private List<String> venues = List.of();

    @Option(
            names = "--running",
            description = {
                "Although ingest runs, as within `observatory run`. Contracts that settle before it is started again",
                "are read from that settlement on."
            })
    private boolean running;

    @Mixin
    private BrokerOptions brokers = new BrokerOptions();

    @Override
    public Integer call() throws InterruptedException {
        venues.stream()
                .filter(venue -> !venue.equals("all") && !ListedVenue.isListed(venue))
                .findFirst()
                .ifPresent(venue -> {
                    throw new Stop("not a listed venue: " + venue);
                });
        KafkaAccess kafka = brokers.access();
        if (!running) {
            requireStopped(kafka);
        }
        List<String> contracts = contracts(kafka);
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
            throw new Stop("no broker takes it at " + brokers + ": " + InnermostCause.typed(e));
        }
        spec.commandLine().getOut().println("contracts to be read again once ingest is started: " + contracts.size());
        return 0;
    }

    private void requireStopped(KafkaAccess kafka) throws InterruptedException {
        try (var admin =
                Admin.create(kafka.client(Map.of("request.timeout.ms", "10000", "default.api.timeout.ms", "10000")))) {
            List<String> groups = admin.listGroups(ListGroupsOptions.forConsumerGroups()).all().get().stream()
                    .map(GroupListing::groupId)
                    .filter(group -> group.startsWith(Topics.INGEST_GROUP))
                    .toList();
            admin.describeConsumerGroups(groups).all().get().forEach((group, described) -> {
                if (!described.members().isEmpty()) {
                    throw new Stop("ingest is running at " + brokers + " (group " + group
                            + "): stop it first, or see --running");
                }
            });
        } catch (ExecutionException | KafkaException e) {
            throw new Stop("whether ingest is running is not known at " + brokers + ": " + InnermostCause.typed(e));
        }
    }

    private List<String> contracts(KafkaAccess kafka) {
        try {
            return CompactedTopic.read(kafka, Topics.INGEST_PROGRESS).values().stream()
                    .filter(progress -> venues.contains("all") || venues.contains(progress.venue()))
                    .map(HistoryProgress::key)
                    .map(Object::toString)
                    .sorted()
                    .toList();
        } catch (KafkaException e) {
            throw new Stop("what has been read is not known at " + brokers + ": " + InnermostCause.typed(e));
        }
    }
}
