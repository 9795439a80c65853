package io.fundingobservatory.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettingVariablesTest {
    private static Optional<String> unknown(String... variables) {
        return SettingVariables.unknown(
                "observatory.ingest", List.of("poll-interval", "venues"), List.of(), List.of(variables));
    }

    @Test
    void aMisspeltVariableIsNamed() {
        assertEquals(
                Optional.empty(), unknown("OBSERVATORY_INGEST_POLL_INTERVAL", "OBSERVATORY_INGEST_VENUES_0", "PATH"));
        assertEquals(
                Optional.of("OBSERVATORY_INGEST_POLL_INTERVALL"), unknown("PATH", "OBSERVATORY_INGEST_POLL_INTERVALL"));
        assertEquals(Optional.of("OBSERVATORY_INGEST_POLL"), unknown("OBSERVATORY_INGEST_POLL"));
        assertEquals(Optional.empty(), unknown("OBSERVATORY_INGESTS_POLL"), "another prefix");
    }

    @Test
    void checksObservatorySettingsButNotClientSettings() {
        Map<String, String> free = Map.of(
                "OBSERVATORY_KAFKA_CLIENT_SASL_MECHANISM", "PLAIN", "OBSERVATORY_KAFKA_BOOTSTRAP_SERVERS", "a:1");
        assertEquals(
                "PLAIN",
                KafkaAccess.of(key -> null, List.of(), Map.of(), free).client().get("sasl.mechanism"));
        Map<String, String> misspelt = Map.of("OBSERVATORY_KAFKA_REPLICATION_FACTORS", "3");
        String line = assertThrows(
                        IllegalArgumentException.class,
                        () -> KafkaAccess.of(key -> null, List.of("replication"), Map.of(), misspelt))
                .getMessage();
        assertTrue(line.startsWith("OBSERVATORY_KAFKA_REPLICATION_FACTORS is no setting; known are"), line);
    }
}
