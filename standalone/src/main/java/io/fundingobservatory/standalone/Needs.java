package io.fundingobservatory.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What one process with everything in it takes of a machine when it observes all exchanges.
 *
 * @param diskGb disk at most, in steady state: the topics' own bounds and the stores of the topology
 */
record Needs(int diskGb) {
    /** By {@code docs/operations/sizing.md}, with the two largest topics limited by size. */
    static final Needs ALL = new Needs(5);

    /** One line: what is needed, and what there is of it. */
    String against(Path directory) {
        return "takes a heap of up to " + Runtime.getRuntime().maxMemory() / 1024 / 1024
                + " MB and in time up to " + diskGb + " GB of disk in " + directory
                + free(directory);
    }

    /** Such as {@code , where 12.3 GB are free}; reports too little space as well. */
    private String free(Path directory) {
        try {
            Path there = directory.toAbsolutePath();
            while (there.getParent() != null && !Files.exists(there)) {
                there = there.getParent();
            }
            double free = Files.getFileStore(there).getUsableSpace() / 1e9;
            return String.format(Locale.ROOT, ", where %.1f GB are free%s", free, free < diskGb ? ": TOO LITTLE" : "");
        } catch (IOException e) {
            return ", whose free space is unknown: " + e.getMessage();
        }
    }
}
