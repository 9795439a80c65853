package io.fundingobservatory.standalone.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A jar cannot say how much memory its process takes, and the default, a quarter of the machine's, is several times what is needed.
 * So {@code java -jar observatory.jar} without a heap size is replaced, as {@code exec} does in a shell, by itself with the options of
 * {@code jvm.options}: same process id, same streams, no parent that waits. Whoever sets a heap size keeps all of his options.
 */
public final class Relaunch {
    /** Set in the process that takes the place, so that it does not do so again. */
    private static final String DONE = "-Dobservatory.relaunched=true";

    /** glibc keeps freed memory in an arena for each of some eight threads a core; two are enough. */
    private static final Map<String, String> ENVIRONMENT = Map.of("MALLOC_ARENA_MAX", "2");

    private static final List<String> HEAP = List.of("-Xmx", "-XX:MaxHeapSize", "-XX:MaxRAM", "-XX:Flags", "@");
    private static final List<String> OPTION_VARIABLES =
            List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private Relaunch() {}

    /** A command line and its environment. */
    record Command(List<String> words, Map<String, String> environment) {}

    /** Does not return where the process is replaced; returns at once where nothing is to be replaced, or cannot be. */
    public static void withItsOwnMemory() {
        ProcessHandle.Info self = ProcessHandle.current().info();
        Optional<String> java = self.command();
        Optional<String[]> arguments = self.arguments();
        if (java.isEmpty() || arguments.isEmpty()) {
            return;
        }
        Command command = command(java.get(), List.of(arguments.get()), System.getenv(), options());
        if (command != null) {
            ProcessImage.replace(java.get(), command.words(), command.environment());
        }
    }

    /** What this process is to be replaced by; null when it stays as it is. */
    static @Nullable Command command(
            String java, List<String> arguments, Map<String, String> environment, List<String> options) {
        int jar = arguments.indexOf("-jar");
        if (jar < 0) {
            return null; // from a class path: an IDE, a test
        }
        List<String> given = arguments.subList(0, jar);
        boolean decided = Stream.concat(
                        given.stream(), OPTION_VARIABLES.stream().map(name -> environment.getOrDefault(name, "")))
                .anyMatch(Relaunch::setsAHeap);
        if (decided || given.contains(DONE)) {
            return null;
        }
        var words = new ArrayList<String>();
        words.add(java);
        boolean collector = given.stream().anyMatch(option -> option.matches("-XX:\\+Use\\w+GC"));
        options.stream().filter(option -> !collector || !option.endsWith("GC")).forEach(words::add);
        words.add(DONE);
        words.addAll(arguments);
        var variables = new HashMap<>(ENVIRONMENT);
        variables.putAll(environment);
        return new Command(words, variables);
    }

    private static boolean setsAHeap(String options) {
        return HEAP.stream().anyMatch(options::contains);
    }

    static List<String> options() {
        try (InputStream in = Relaunch.class.getResourceAsStream("/jvm.options")) {
            if (in == null) {
                throw new IllegalStateException("the build left no jvm.options behind");
            }
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
