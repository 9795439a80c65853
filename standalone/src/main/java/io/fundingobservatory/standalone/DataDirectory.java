package io.fundingobservatory.standalone;

import io.fundingobservatory.standalone.exchanges.SourceOption;
import io.fundingobservatory.standalone.terminal.Stop;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Where a running observatory keeps its state. What is live, simulated and replayed lies apart, so that a simulated value is
 * never shown as live. One process at a time.
 */
final class DataDirectory implements AutoCloseable {
    private final Path root;
    private final FileChannel channel;
    private final FileLock lock;

    private DataDirectory(Path root, FileChannel channel, FileLock lock) {
        this.root = root;
        this.channel = channel;
        this.lock = lock;
    }

    /** Whether a source has been observed here before. */
    static boolean exists(Path data, SourceOption exchanges) {
        return Files.isDirectory(data.resolve(exchanges.word()));
    }

    /** Takes the directory of one source, making it when it is not there; one readable line when it cannot. */
    static DataDirectory take(Path data, SourceOption exchanges) {
        Path root = data.toAbsolutePath().normalize().resolve(exchanges.word());
        try {
            Files.createDirectories(root);
        } catch (IOException e) {
            throw new Stop("cannot write to " + root + ": " + reason(e) + "; name another directory with --data DIR");
        }
        FileChannel channel;
        try {
            channel = FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new Stop("cannot write to " + root + ": " + reason(e) + "; name another directory with --data DIR");
        }
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return new DataDirectory(root, channel, lock);
            }
        } catch (IOException | OverlappingFileLockException e) {
            // falls through: another process holds it
        }
        throw new Stop(
                root + " is in use by another observatory; stop that one or name another directory with --data DIR");
    }

    private static String reason(IOException e) {
        return e.getClass().getSimpleName().replace("Exception", "") + " " + e.getMessage();
    }

    Path kafka() {
        return root.resolve("kafka");
    }

    Path streams() {
        return root.resolve("streams");
    }

    @Override
    public String toString() {
        return root.toString();
    }

    @Override
    public void close() throws IOException {
        lock.release();
        channel.close();
    }
}
