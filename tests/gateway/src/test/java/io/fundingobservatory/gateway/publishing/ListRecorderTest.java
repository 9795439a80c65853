package io.fundingobservatory.gateway.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.fixture.LoggedLines;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.PublishedList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListRecorderTest {
    private static final long START = 1_790_000_000_000L;
    private static final String TOO_LARGE = "a list of 2 MB";

    @RegisterExtension
    private final LoggedLines lines = LoggedLines.of(ListRecorder.class);

    private static ListRecorder.Sources list(String tag) {
        return new ListRecorder.Sources(
                new PublishedList(tag, tag, START, START, List.of(), Map.of(), Map.of(), Map.of()),
                List.of(Samples.withoutReader("okx")));
    }

    private static class Brokers extends MockProducer<String, byte[]> {
        Brokers() {
            super(true, null, new StringSerializer(), new ByteArraySerializer());
        }

        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<String, byte[]> record, Callback callback) {
            return record.key().equals(TOO_LARGE)
                    ? CompletableFuture.failedFuture(new RecordTooLargeException("over 1 MB"))
                    : super.send(record, callback);
        }
    }

    @Test
    void anHourOfListsWaitsAtMost() {
        var recorder = new ListRecorder(Brokers::new);
        for (int i = 0; i < 5_000; i++) {
            recorder.add(list("list " + i));
        }
        recorder.end();
        recorder.run();
        assertEquals(720, recorder.recorded());
    }

    /** Its records stay too large, however often they are sent. */
    @Test
    void tooLargeListDoesNotBlockLaterOnes() throws Exception {
        var brokers = new Brokers();
        var recorder = new ListRecorder(() -> brokers);
        Thread thread = Thread.ofVirtual().start(recorder);
        recorder.add(list(TOO_LARGE));
        recorder.add(list("small"));
        RunningGateway.await("the second list", () -> recorder.recorded() == 1);
        recorder.end();
        thread.join();
        assertEquals(
                List.of("small"),
                brokers.history().stream()
                        .filter(record -> record.topic().equals(Topics.LISTS_PUBLISHED.name()))
                        .map(ProducerRecord::key)
                        .toList());
    }

    /** A stop closes the producer while a list is being written. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void endsWithoutTraceOnceClosed(boolean refusesAtOnce) {
        var recorders = new CompletableFuture<ListRecorder>();
        var brokers = new Brokers() {
            @Override
            public synchronized Future<RecordMetadata> send(ProducerRecord<String, byte[]> record, Callback callback) {
                recorders.join().close();
                return refusesAtOnce
                        ? super.send(record, callback)
                        : CompletableFuture.failedFuture(new KafkaException("Producer is closed forcefully."));
            }
        };
        var recorder = new ListRecorder(() -> brokers);
        recorders.complete(recorder);
        recorder.add(list("closed"));
        recorder.run();
        assertEquals(0, recorder.recorded());
        assertEquals(List.of(), lines.all());
    }
}
