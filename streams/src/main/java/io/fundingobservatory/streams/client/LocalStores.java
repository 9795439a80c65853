package io.fundingobservatory.streams.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The directory of this process's stores, before Kafka Streams opens any of them. */
public final class LocalStores {
    /** Less than what one store takes when it is opened. */
    private static final int PROBE_BYTES = 256 * 1024;

    private LocalStores() {}

    /**
     * Writes a few bytes into the directory and removes them. Where Kafka Streams cannot write to a
     * directory, it reports neither which directory it is nor the cause.
     *
     * @throws StartFailure when there is no room, or the directory does not belong to this process
     */
    public static void requireRoom(Path stateDir) {
        try {
            Path probe = Files.createTempFile(Files.createDirectories(stateDir), "room", null);
            try {
                Files.write(probe, new byte[PROBE_BYTES]);
            } finally {
                Files.delete(probe);
            }
        } catch (IOException e) {
            throw new StartFailure("stores cannot be written cause=" + e
                    + "; make room there, or name another directory with observatory.streams.state-dir");
        }
    }
}
