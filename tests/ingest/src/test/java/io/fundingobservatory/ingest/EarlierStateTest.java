package io.fundingobservatory.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Source;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class EarlierStateTest {
    private static final int READINGS = 5;

    @Test
    void deletedTopicsAreCreatedForNextReading() throws InterruptedException, ExecutionException {
        try (var kafka = KafkaFixture.start()) {
            var access = KafkaAccess.at(kafka.bootstrapServers());
            try (var admin = Admin.create(access.client(Map.of()))) {
                admin.deleteTopics(List.of(Topics.INGEST_PROGRESS.name(), Topics.VENUES_STATUS.name()))
                        .all()
                        .get();
            }
            assertEquals(EarlierState.NONE, read(access, READINGS));
        }
    }

    private static EarlierState read(KafkaAccess access, int readings) {
        try {
            return EarlierState.read(access, new BrokerReadiness(access), Source.LIVE);
        } catch (KafkaException e) {
            if (readings == 1) {
                throw e;
            }
            return read(access, readings - 1);
        }
    }

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
