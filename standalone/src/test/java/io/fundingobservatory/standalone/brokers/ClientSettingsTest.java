package io.fundingobservatory.standalone.brokers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.standalone.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that cannot be made with its settings: each command prints the cause. */
class ClientSettingsTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "topics --create",
                "access --apply",
                "receipt BTC",
                "backfill all",
                "backfill all --running",
                "reset pairs"
            })
    void missingTrustStoreIsNamed(String command) throws IOException {
        Path none = folder.resolve("none.jks");
        Path config = Files.writeString(
                folder.resolve("client.properties"),
                "security.protocol = SSL\nssl.truststore.location = " + none + "\n");
        var words = new ArrayList<>(List.of(command.split(" ")));
        words.addAll(List.of("--command-config", config.toString()));
        Ran ran = Ran.observatory(words.toArray(String[]::new));
        assertEquals(1, ran.exit(), ran.err());
        assertTrue(ran.err().contains("NoSuchFileException " + none), ran.err());
    }
}
