package io.fundingobservatory.standalone;

import io.fundingobservatory.topics.Retention;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.TopicCreation;
import io.fundingobservatory.topics.Topics;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The topic catalogue: prints it, or creates what is missing of it on a broker. */
@Command(
        name = "topics",
        mixinStandardHelpOptions = true,
        description = "Prints the topic catalogue, or creates what is missing of it on a broker.")
final class TopicsCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli injects it
    private CommandSpec spec;

    @Option(
            names = "--create",
            description = "Create the topics that do not exist yet; those that do are left as they are.")
    private boolean create;

    @Option(
            names = "--bootstrap-server",
            paramLabel = "HOST:PORT",
            description = "The broker to create them on; default: ${DEFAULT-VALUE}.")
    private String bootstrapServer = "localhost:9092";

    @Option(
            names = "--replication",
            paramLabel = "N",
            description = "Replicas of each partition; default: ${DEFAULT-VALUE}.")
    private short replication = 1;

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
        String kept = switch (policy) {
            case Retention.Delete(var age) -> age.toDays() + " d";
            case Retention.DeleteStamped(var age) -> age.toDays() + " d after arrival";
            case Retention.Compact() -> "newest of each key";
        };
        out.printf("%-18s %-17s %-16s %10d  %s%n", name, key, value, partitions, kept);
    }

    private void create(PrintWriter out) throws InterruptedException {
        Map<String, Object> config = Map.of(
                "bootstrap.servers", bootstrapServer, "request.timeout.ms", "5000", "default.api.timeout.ms", "10000");
        try (Admin admin = Admin.create(config)) {
            List<String> created = TopicCreation.createMissing(admin, replication);
            out.println(created.isEmpty() ? "every topic exists already" : "created " + String.join(" ", created));
        } catch (ExecutionException e) {
            throw new Stop(
                    "the topics could not be created on " + bootstrapServer + ": " + String.valueOf(e.getCause()));
        } catch (org.apache.kafka.common.KafkaException e) {
            throw new Stop("no broker could be asked at " + bootstrapServer + ": " + e.getMessage());
        }
    }
}
