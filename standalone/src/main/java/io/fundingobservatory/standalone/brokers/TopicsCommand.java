package io.fundingobservatory.standalone.brokers;

import io.fundingobservatory.runtime.InnermostCause;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicAudit;
import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.standalone.terminal.Stop;
import io.fundingobservatory.topics.Retention;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The topic catalogue: prints it, or creates what is missing of it on a broker. */
@Command(
        name = "topics",
        mixinStandardHelpOptions = true,
        description = "Prints the topic catalogue, or creates missing topics on a broker.")
public final class TopicsCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli injects it
    private CommandSpec spec;

    @Option(names = "--create", description = "Create missing topics; existing ones are not changed.")
    private boolean create;

    @Mixin
    private BrokerOptions brokers = new BrokerOptions();

    @Option(
            names = "--replication",
            paramLabel = "N",
            description = "Copies of each topic that is created; default: the brokers' own.")
    private short replication = KafkaAccess.BROKERS_DEFAULT;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        if (create) {
            create(out);
            return 0;
        }
        out.printf("%-18s %-17s %-16s %10s  %s%n", "TOPIC", "KEY", "VALUE", "PARTITIONS", "KEPT");
        for (Topic<?> topic : Topics.typed()) {
            line(out, topic.name(), topic.keyMeaning(), topic.codec().schemaId(), topic.partitions(), topic.policy());
        }
        for (Topics.PlainTopic topic : Topics.plain()) {
            line(out, topic.name(), topic.keyMeaning(), "bytes", topic.partitions(), topic.policy());
        }
        return 0;
    }

    private static void line(PrintWriter out, String name, String key, String value, int partitions, Retention policy) {
        String retention = switch (policy) {
            case Retention.Delete(var age, var bytes) -> age.toDays() + " d";
            case Retention.DeleteStamped(var age, var bytes) -> age.toDays() + " d after arrival";
            case Retention.Compact() -> "newest of each key";
            case Retention.CompactStamped() -> "newest of each key";
        };
        out.printf("%-18s %-17s %-16s %10d  %s%n", name, key, value, partitions, retention);
    }

    private void create(PrintWriter out) throws InterruptedException {
        KafkaAccess kafka = brokers.access();
        Map<String, Object> config =
                kafka.clientPreferring(Map.of("request.timeout.ms", "5000", "default.api.timeout.ms", "10000"));
        try (Admin admin = Admin.create(config)) {
            TopicCreation.Outcome topics = TopicCreation.ensure(admin, replication);
            out.println(
                    topics.created().isEmpty()
                            ? "nothing was created"
                            : "created " + String.join(" ", topics.created()));
            TopicAudit audit = TopicAudit.of(admin, replication, topics);
            audit.differing().forEach((topic, how) -> out.println(topic + " differs: " + how));
            audit.fewerCopies().forEach((topic, how) -> out.println(topic + " has " + how));
            audit.unsafeWrites().forEach((topic, how) -> out.println(topic + " has " + how));
            audit.keptShorter().forEach((topic, how) -> out.println(topic + " is kept for less: " + how));
            if (!topics.missing().isEmpty()) {
                throw new Stop("not there, and this role may not create them: " + String.join(" ", topics.missing()));
            }
        } catch (ExecutionException e) {
            throw new Stop("the topics could not be created on " + kafka.bootstrapServers() + ": " + e.getCause());
        } catch (KafkaException e) {
            throw new Stop("no connection to " + kafka.bootstrapServers() + " is possible with these settings: "
                    + InnermostCause.typed(e));
        }
    }
}
