package io.fundingobservatory.testbed;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A service that ended by itself, as its supervisor sees it.
 *
 * @param exit the process's exit code
 * @param text all that it wrote, both streams
 */
public record EndedProcess(int exit, String text) {

    /** The jar of everything, whose manifest brings the beans of every service. */
    private static final String ALL_IN_ONE = "observatory.jar";

    /**
     * Starts a program of this class path, without the jar of everything, as a process of its own, and waits for its end.
     *
     * @param main the class whose {@code main} is run
     * @param log the file that takes what it writes
     * @throws IllegalStateException when it still runs after that time; it is killed then
     */
    public static EndedProcess of(Class<?> main, Path log, Duration longest, String... arguments)
            throws IOException, InterruptedException {
        return of(main, log, longest, Map.of(), arguments);
    }

    /** The same with further variables of its environment. */
    public static EndedProcess of(
            Class<?> main, Path log, Duration longest, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // it lives for seconds
                "-XX:+UseSerialGC",
                "-cp",
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                        .filter(entry -> !entry.endsWith(ALL_IN_ONE))
                        .collect(Collectors.joining(File.pathSeparator)),
                main.getName()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            if (!process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(
                        main.getName() + " still runs after " + longest + ": " + Files.readString(log));
            }
        } finally {
            process.destroyForcibly();
        }
        return new EndedProcess(process.exitValue(), Files.readString(log));
    }

    /** Its log lines of level ERROR, in order. */
    public List<String> errors() {
        return text.lines().filter(line -> line.contains("ERROR")).toList();
    }
}
