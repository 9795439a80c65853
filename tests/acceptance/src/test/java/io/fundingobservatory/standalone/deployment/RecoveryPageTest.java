package io.fundingobservatory.standalone.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fundingobservatory.kit.SharedBroker;
import io.fundingobservatory.runtime.TopicReader;
import io.fundingobservatory.testbed.Checkout;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The dump of docs/operations/recovery.md, restored to empty topics. Where kcat or zstd is missing it is reported as skipped. */
@ExtendWith(SharedBroker.class)
class RecoveryPageTest {
    @TempDir
    private Path folder;

    @Test
    void dumpIsRestoredToSamePartitions(KafkaFixture kafka) throws Exception {
        assumeTrue(sh("command -v kcat && command -v zstd") == 0, "kcat and zstd are not installed");
        List<String> commands = Pattern.compile("(?m)^ *((?:kcat|zstd) .*)$")
                .matcher(Files.readString(Checkout.ROOT.resolve("docs/operations/recovery.md")))
                .results()
                .map(found -> found.group(1))
                .toList();
        assertEquals(2, commands.size(), commands::toString);
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
            for (int i = 0; i < 200; i++) {
                producer.send(new ProducerRecord<>(
                        Topics.SETTLEMENTS.name(), "okx|SYMBOL" + i, "{\"settled_ms\":" + i + "}"));
            }
        }
        Set<String> before = records(kafka);
        assertEquals(200, before.size());
        assertEquals(0, sh(commands.getFirst().replace("BROKER", kafka.bootstrapServers())));
        kafka.clear();
        assertEquals(Set.of(), records(kafka));
        String restore = commands.getLast().replace("BROKER", kafka.bootstrapServers());
        assertEquals(0, sh(restore.replace("DATE", "*")));
        assertEquals(before, records(kafka));
    }

    private static Set<String> records(KafkaFixture kafka) {
        var records = new TreeSet<String>();
        try (var consumer = new KafkaConsumer<>(
                Map.<String, Object>of("bootstrap.servers", kafka.bootstrapServers()),
                new StringDeserializer(),
                new StringDeserializer())) {
            TopicReader.fromBeginning(consumer, Topics.SETTLEMENTS.name())
                    .toEnd(record -> records.add(record.partition() + " " + record.key() + " " + record.value()));
        }
        return records;
    }

    private int sh(String command) throws IOException, InterruptedException {
        return new ProcessBuilder("sh", "-c", command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
