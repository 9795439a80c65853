package io.fundingobservatory.standalone.roles;

import io.fundingobservatory.testbed.Checkout;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** docs/kafka.md: its examples, run in a directory as a user of secured brokers. */
public final class KafkaPage {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Pattern BLOCK = Pattern.compile("```(\\w+)\n(.*?)\n```", Pattern.DOTALL);
    private static final Pattern SETTING = Pattern.compile("-X\\s+(\\S+)");
    private static final String JAVA = """
            import io.fundingobservatory.topics.*;
            import java.nio.file.*;
            import java.time.*;
            import java.util.*;
            import org.apache.kafka.clients.consumer.*;
            import org.apache.kafka.common.serialization.*;
            class Example {
                public static void main(String[] args) throws Exception {
            %s
                }
            }
            """;

    private final String text;
    private final Path directory;
    private final Map<String, String> words;

    /**
     * The page for one user.
     *
     * @param directory where examples run; the authority's certificate is {@code ca.crt} in it
     */
    KafkaPage(Path directory, String brokers, String user, String password) throws IOException {
        this.text = Files.readString(Checkout.ROOT.resolve("docs/kafka.md"));
        this.directory = directory;
        this.words = Map.of("localhost:9092", brokers, "NAME", user, "PASSWORD", password);
    }

    private List<String> blocks(String language) {
        return BLOCK.matcher(text)
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> filled(block.group(2)))
                .toList();
    }

    private String filled(String example) {
        String filled = example;
        for (var word : words.entrySet()) {
            filled = filled.replace(word.getKey(), word.getValue());
        }
        return filled;
    }

    /** The first lines with a record's key that the example in Java prints. */
    List<String> java(int lines) throws Exception {
        Files.writeString(directory.resolve("team.properties"), String.join("\n", blocks("properties")));
        Path source = Files.writeString(
                directory.resolve("Example.java"), JAVA.formatted(blocks("java").getFirst()));
        return first(
                lines,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        source.toString()));
    }

    /** The same on the command line, with the settings for secured brokers. */
    List<String> kcat(int lines) throws Exception {
        String command = blocks("sh").getFirst();
        String settings = SETTING.matcher(section("On the command line"))
                .results()
                .map(found -> "-X " + filled(found.group(1).replaceAll("[`.]+$", "")))
                .filter(setting -> !command.contains(setting))
                .collect(Collectors.joining(" "));
        return first(lines, List.of("sh", "-c", command + " " + settings));
    }

    /** The same in Python. */
    List<String> python(int lines) throws Exception {
        Matcher settings = Pattern.compile("add: `(\".*?)`", Pattern.DOTALL).matcher(section("In Python"));
        if (!settings.find()) {
            throw new AssertionError("no settings for secured brokers");
        }
        String program = blocks("python")
                .getFirst()
                .replaceFirst("\\}\\)", ", " + Matcher.quoteReplacement(filled(settings.group(1))) + "})");
        Path source = Files.writeString(directory.resolve("example.py"), program);
        return first(lines, List.of("python3", source.toString()));
    }

    /** Whether a command ends well: a tool is installed. */
    public static boolean has(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private String section(String title) {
        String after = text.substring(text.indexOf("## " + title) + 3);
        int end = after.indexOf("\n## ");
        return end < 0 ? after : after.substring(0, end);
    }

    private List<String> first(int lines, List<String> command)
            throws IOException, InterruptedException, ExecutionException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader out = process.inputReader()) {
            var read = new ArrayList<String>();
            return CompletableFuture.supplyAsync(() -> {
                        out.lines()
                                .filter(line -> line.contains("|"))
                                .limit(lines)
                                .forEach(read::add);
                        return List.copyOf(read);
                    })
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("no " + lines + " lines within " + PATIENCE + " of " + command, e);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
