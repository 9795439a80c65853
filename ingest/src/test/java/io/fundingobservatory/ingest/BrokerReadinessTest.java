package io.fundingobservatory.ingest;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicAudit;
import io.fundingobservatory.topics.records.Source;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BrokerReadinessTest {
    private static final Map<String, String> NONE = Map.of();

    @Test
    void advisesWhatCuresTheTopic() {
        assertEquals(
                "topic quotes.raw has 1 copies of each record, 3 are configured: what is acknowledged could be lost; raise"
                        + " its copies with kafka-reassign-partitions.sh or set observatory.kafka.replication-factor to"
                        + " what it has",
                refusal(Map.of("quotes.raw", "1 copies of each record, 3 are configured"), NONE));
        assertEquals(
                "topic venues.status has min.insync.replicas=1; set it with kafka-configs.sh --bootstrap-server HOST:PORT"
                        + " --alter --topic venues.status --add-config min.insync.replicas=2",
                refusal(NONE, Map.of("venues.status", "min.insync.replicas=1")));
    }

    @Test
    void topicsOfOtherServicesDoNotMatter() {
        Map<String, String> rates = Map.of("rates.latest", "too few");
        assertDoesNotThrow(() -> BrokerReadiness.requireSafeWrites(new TopicAudit(NONE, rates, rates, NONE)));
    }

    @Test
    void namesMissingTrustStore() throws InterruptedException {
        var kafka = new KafkaAccess(
                "localhost:9092",
                KafkaAccess.BROKERS_DEFAULT,
                Map.of("security.protocol", "SSL", "ssl.truststore.location", "/none.jks"));
        assertEquals("the broker: NoSuchFileException /none.jks", new BrokerReadiness(kafka).waitingFor(Source.LIVE));
    }

    private static String refusal(Map<String, String> fewerCopies, Map<String, String> unsafeWrites) {
        var audit = new TopicAudit(NONE, fewerCopies, unsafeWrites, NONE);
        return assertThrows(BrokerReadiness.StartRefused.class, () -> BrokerReadiness.requireSafeWrites(audit))
                .getMessage();
    }
}
