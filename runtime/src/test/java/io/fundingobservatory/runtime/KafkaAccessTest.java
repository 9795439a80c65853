package io.fundingobservatory.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KafkaAccessTest {
    private static KafkaAccess read(
            Map<String, String> values,
            List<String> entries,
            Map<String, Object> client,
            Map<String, String> variables) {
        return KafkaAccess.of(values::get, entries, client, variables);
    }

    @Test
    void everyKeyHasItsRecordedDefault() {
        assertEquals(
                new KafkaAccess("localhost:9092", (short) -1, Map.of()),
                read(Map.of(), List.of(), Map.of(), Map.of("PATH", "/bin")));
    }

    @Test
    void environmentOutranksFilesInClientSettings() {
        KafkaAccess kafka = read(
                Map.of("bootstrap-servers", "a:1,b:2", "replication-factor", "3"),
                List.of("bootstrap-servers", "bootstrap", "replication-factor", "replication", "client"),
                Map.of("sasl.mechanism", "PLAIN", "sasl.jaas.config", "x y;"),
                Map.of("OBSERVATORY_KAFKA_CLIENT_SASL_MECHANISM", "SCRAM-SHA-512"));
        assertEquals((short) 3, kafka.replicationFactor());
        assertEquals(
                Map.of("bootstrap.servers", "a:1,b:2", "sasl.mechanism", "SCRAM-SHA-512", "sasl.jaas.config", "x y;"),
                kafka.client(Map.of()));
    }

    @Test
    void requiredSettingsOutrankClientSettings() {
        KafkaAccess kafka =
                read(Map.of(), List.of(), Map.of("acks", "1", "bootstrap.servers", "elsewhere:1"), Map.of());
        assertEquals(Map.of("acks", "all", "bootstrap.servers", "localhost:9092"), kafka.client(Map.of("acks", "all")));
    }

    @Test
    void clientSettingsOutrankPreferredSettings() {
        KafkaAccess kafka = read(
                Map.of(),
                List.of(),
                Map.of("request.timeout.ms", "30000", "bootstrap.servers", "elsewhere:1"),
                Map.of());
        assertEquals(
                Map.of(
                        "request.timeout.ms",
                        "30000",
                        "default.api.timeout.ms",
                        10_000,
                        "bootstrap.servers",
                        "localhost:9092"),
                kafka.clientPreferring(Map.of("request.timeout.ms", 5_000, "default.api.timeout.ms", 10_000)));
    }

    @Test
    void namesUnknownKeyAndUnreadableNumber() {
        var unknown = assertThrows(
                IllegalArgumentException.class,
                () -> read(Map.of(), List.of("bootstrap-servers", "replication-facto"), Map.of(), Map.of()));
        assertTrue(unknown.getMessage().contains("observatory.kafka.replication-facto;"), unknown::getMessage);
        var former = assertThrows(
                IllegalArgumentException.class, () -> read(Map.of(), List.of("security"), Map.of(), Map.of()));
        assertTrue(former.getMessage().contains("observatory.kafka.client"), former::getMessage);
        var number = assertThrows(
                IllegalArgumentException.class,
                () -> read(Map.of("replication-factor", "three"), List.of(), Map.of(), Map.of()));
        assertTrue(number.getMessage().contains("replication-factor"), number::getMessage);
        assertThrows(
                IllegalArgumentException.class,
                () -> read(Map.of("replication-factor", "0"), List.of(), Map.of(), Map.of()));
        assertThrows(
                IllegalArgumentException.class,
                () -> read(Map.of("bootstrap-servers", " "), List.of(), Map.of(), Map.of()));
    }

    @Test
    void secretsAreNotPrinted() {
        KafkaAccess kafka = read(Map.of(), List.of(), Map.of("sasl.jaas.config", "password=hunter2"), Map.of());
        assertFalse(kafka.toString().contains("hunter2"));
        assertTrue(kafka.toString().contains("sasl.jaas.config"));
    }
}
