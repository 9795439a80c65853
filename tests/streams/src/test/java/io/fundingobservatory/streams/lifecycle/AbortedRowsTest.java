package io.fundingobservatory.streams.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.fundingobservatory.runtime.TopicReader;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.LoggerFactory;

/**
 * A task that is found corrupted during a rebalance loses the rows of the other tasks of its thread as well.
 * The rebalance is kept open by a member that is blocked in the middle of a record, so that it happens each
 * time.
 */
@Tag("nightly")
@Execution(ExecutionMode.CONCURRENT)
class AbortedRowsTest {
    private static final String GROUP = "aborted-rows";
    private static final int PARTITIONS = 4;

    /** Nothing is committed by itself while the test goes on. */
    private static final int NEVER_MS = 600_000;

    private static final String ROW = "a row of another task";
    private static final String CORRUPT = "a record whose task is found corrupted";
    private static final String STANDS_STILL = "a record that takes long";

    private static final String LAST = "the last record";

    @TempDir
    Path state;

    private final Queue<String> taken = new ConcurrentLinkedQueue<>();
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private final CountDownLatch corrupted = new CountDownLatch(1);

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void aProducerOfOneAbortLosesNone() throws Exception {
        assertEquals(List.of(STANDS_STILL, CORRUPT, ROW), rowsWith(new OneAbortClients()));
    }

    /** As soon as this fails, Kafka Streams does not lose them any more, and {@link OneAbortClients} can go. */
    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void withoutItTheRowIsLost() throws Exception {
        assertEquals(List.of(STANDS_STILL, CORRUPT), rowsWith(new DefaultKafkaClientSupplier()));
    }

    /** What readers of committed records see in the end, in the order of the letters. */
    private List<String> rowsWith(KafkaClientSupplier clients) throws Exception {
        try (var kafka = KafkaFixture.start();
                var producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", kafka.bootstrapServers()),
                        new StringSerializer(),
                        new StringSerializer())) {
            kafka.admin()
                    .createTopics(Stream.of("in", "out")
                            .map(name -> new NewTopic(name, PARTITIONS, (short) 1))
                            .toList())
                    .all()
                    .get();
            try (KafkaStreams one = client(kafka, "one", clients);
                    KafkaStreams still = client(kafka, "still", clients);
                    KafkaStreams third = client(kafka, "third", clients)) {
                one.start();
                still.start();
                await(() -> tasks(one).size() == 2 && tasks(still).size() == 2, "two tasks each");
                send(producer, tasks(still).getFirst(), STANDS_STILL);
                await(() -> taken.contains(STANDS_STILL), "a frozen member");
                List<TaskId> tasks = tasks(one);
                try (var joins = new Joins("one-StreamThread-1")) {
                    third.start();
                    await(joins::seen, "a rebalance under way");
                }
                send(producer, tasks.get(0), ROW);
                await(() -> taken.contains(ROW), "a row that is not committed");
                send(producer, tasks.get(1), CORRUPT);
                corrupted.await();
                goesOn.countDown();
                await(() -> times(CORRUPT) == 2, "the record of the corrupted task, again");
            }
            // What was not committed is read once more; what was lost is not.
            try (KafkaStreams last = client(kafka, "last", clients)) {
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    send(producer, new TaskId(0, partition), LAST);
                }
                last.start();
                await(() -> times(LAST) == PARTITIONS, "everything read to its end");
            }
            return committed(kafka).stream().filter(row -> !row.equals(LAST)).toList();
        }
    }

    private long times(String value) {
        return taken.stream().filter(value::equals).count();
    }

    private KafkaStreams client(KafkaFixture kafka, String name, KafkaClientSupplier clients) {
        var config = new HashMap<String, Object>();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, GROUP);
        config.put(StreamsConfig.CLIENT_ID_CONFIG, name);
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
        config.put(StreamsConfig.STATE_DIR_CONFIG, state.resolve(name).toString());
        config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, NEVER_MS);
        config.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), NEVER_MS);
        config.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 200);
        // Clients that are closed stay members until it ends.
        config.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 6_000);
        var text = Serdes.String();
        var topology = new Topology()
                .addSource("read", text.deserializer(), text.deserializer(), "in")
                .addProcessor("take", Take::new, "read")
                .addSink("write", "out", text.serializer(), text.serializer(), "take");
        return new KafkaStreams(topology, new StreamsConfig(config), clients);
    }

    private final class Take extends ContextualProcessor<String, String, String, String> {
        @Override
        public void process(Record<String, String> record) {
            taken.add(record.value());
            if (record.value().equals(STANDS_STILL)) {
                uninterrupted(goesOn);
            }
            if (record.value().equals(CORRUPT) && corrupted.getCount() > 0) {
                corrupted.countDown();
                throw new TaskCorruptedException(Set.of(context().taskId()));
            }
            context().forward(record);
        }
    }

    private static void uninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static List<TaskId> tasks(KafkaStreams client) {
        return client.metadataForLocalThreads().stream()
                .flatMap(thread -> thread.activeTasks().stream())
                .map(task -> task.taskId())
                .sorted(Comparator.comparing(TaskId::partition))
                .toList();
    }

    private static void send(KafkaProducer<String, String> producer, TaskId task, String value) throws Exception {
        producer.send(new ProducerRecord<>("in", task.partition(), "key", value))
                .get();
    }

    private static List<String> committed(KafkaFixture kafka) {
        var rows = new ArrayList<String>();
        try (var consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed"),
                new StringDeserializer(),
                new StringDeserializer())) {
            TopicReader.fromBeginning(consumer, "out").toEnd(record -> rows.add(record.value()));
        }
        rows.sort(null);
        return rows;
    }

    private static void await(BooleanSupplier condition, String what) {
        Await.until(what, condition::getAsBoolean);
    }

    /** Whether a stream thread joins its group again: said by its consumer's log alone. */
    private static final class Joins implements AutoCloseable {
        private final Logger log =
                (Logger) LoggerFactory.getLogger("org.apache.kafka.clients.consumer.internals.ConsumerCoordinator");
        private final @Nullable Level before = log.getLevel();
        private final CountDownLatch seen = new CountDownLatch(1);
        private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                if (event.getThreadName().endsWith(thread)
                        && event.getFormattedMessage().contains("(Re-)joining group")) {
                    seen.countDown();
                }
            }
        };
        private final String thread;

        Joins(String thread) {
            this.thread = thread;
            appender.start();
            log.addAppender(appender);
            log.setLevel(Level.INFO);
        }

        boolean seen() {
            return seen.getCount() == 0;
        }

        @Override
        public void close() {
            log.setLevel(before);
            log.detachAppender(appender);
        }
    }
}
