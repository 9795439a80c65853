package io.fundingobservatory.faults.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A file system of its own, in memory (tmpfs), that can be filled up. Mounting one takes root. */
public final class SmallDisk implements AutoCloseable {
    private static final int PIECE = 64 * 1024;

    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** Mounts one in a folder that is there. */
    public static SmallDisk mount(Path folder, int megabytes) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", folder.toString());
        return new SmallDisk(folder);
    }

    public Path folder() {
        return folder;
    }

    /** Takes all the room that is left, to the last byte. */
    public void fill() throws IOException {
        byte[] zeros = new byte[PIECE];
        for (int size = PIECE; size > 0; size /= 16) {
            try (OutputStream out = Files.newOutputStream(folder.resolve("filler-" + size))) {
                while (true) {
                    out.write(zeros, 0, size);
                }
            } catch (IOException e) {
                if (folder.toFile().getUsableSpace() >= PIECE) {
                    throw e;
                }
            }
        }
    }

    /** Bytes that are left. */
    public long left() {
        return folder.toFile().getUsableSpace();
    }

    /** Gives the room back that {@link #fill} took. */
    public void free() throws IOException {
        try (var fillers = Files.newDirectoryStream(folder, "filler-*")) {
            for (Path filler : fillers) {
                Files.delete(filler);
            }
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            run("umount", "--lazy", folder.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
