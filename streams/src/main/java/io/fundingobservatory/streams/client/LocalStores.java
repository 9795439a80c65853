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
     * Writes a little into the directory and removes it: Kafka Streams says of a directory that it cannot write to neither which one it
     * is nor why.
     *
     * @throws StartFailure when there is no room, or it is not this process's
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
