package io.fundingobservatory.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class LostGroupTest {
    @Test
    void reportsLostGroupInOneLine() throws InterruptedException {
        var lost = new LinkedBlockingQueue<String>();
        var group = new MockConsumer<byte[], byte[]>("latest");
        group.setPollException(new KafkaException("not authorised"));
        try (var assignment = new VenueAssignment(group, venues -> {}, venues -> {}, lost::add)) {
            assignment.start();
            assertEquals("its share of the venues is lost: not authorised", lost.poll(5, TimeUnit.MINUTES));
        }
    }
}
