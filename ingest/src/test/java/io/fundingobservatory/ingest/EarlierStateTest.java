package io.fundingobservatory.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.topics.records.Source;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class EarlierStateTest {
    @Test
    void namesWhatBrokersLack() {
        var kafka = new KafkaAccess(
                "localhost:9092",
                KafkaAccess.BROKERS_DEFAULT,
                Map.of("security.protocol", "SSL", "ssl.truststore.location", "/none.jks"));
        var e = assertThrows(
                KafkaException.class, () -> EarlierState.read(kafka, new BrokerReadiness(kafka), Source.LIVE));
        assertEquals("the broker: NoSuchFileException /none.jks", e.getMessage());
    }
}
