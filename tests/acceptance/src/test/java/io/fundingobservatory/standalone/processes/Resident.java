package io.fundingobservatory.standalone.processes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What Linux tells of a process. */
final class Resident {
    private Resident() {}

    static boolean isKnown() {
        return Files.isReadable(Path.of("/proc/self/status"));
    }

    /** Its resident memory now. */
    static long mb(Process process) throws IOException {
        return status(process, "VmRSS");
    }

    /** The most that it ever was. */
    static long mostMb(Process process) throws IOException {
        return status(process, "VmHWM");
    }

    private static long status(Process process, String line) throws IOException {
        return Files.readAllLines(proc(process, "status")).stream()
                        .filter(logged -> logged.startsWith(line))
                        .mapToLong(logged -> Long.parseLong(logged.replaceAll("\\D+", "")))
                        .findFirst()
                        .orElseThrow()
                / 1024;
    }

    static String commandLine(Process process) throws IOException {
        return Files.readString(proc(process, "cmdline"), StandardCharsets.UTF_8)
                .replace('\0', ' ');
    }

    private static Path proc(Process process, String file) {
        return Path.of("/proc", Long.toString(process.pid()), file);
    }
}
