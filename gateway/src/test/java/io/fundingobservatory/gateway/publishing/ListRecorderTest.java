package io.fundingobservatory.gateway.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.topics.records.PublishedList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class ListRecorderTest {
    private static final long START = 1_790_000_000_000L;

    private static ListRecorder.Sources list(String tag) {
        return new ListRecorder.Sources(
                new PublishedList(tag, tag, START, START, List.of(), Map.of(), Map.of(), Map.of()),
                List.of(Samples.withoutReader("okx")));
    }

    @Test
    void anHourOfListsWaitsAtMost() {
        var recorder = new ListRecorder(
                () -> new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer()));
        for (int i = 0; i < 5_000; i++) {
            recorder.add(list("list " + i));
        }
        recorder.end();
        recorder.run();
        assertEquals(720, recorder.recorded());
    }
}
