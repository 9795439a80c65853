package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.standalone.house.Prose;
import io.fundingobservatory.testbed.Checkout;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Commands in the pages fit what they call, without running them. Command lines of {@code observatory} pass its parser. Profiles, modules,
 * properties, build arguments, values, topics, endpoints, parameters, settings and files that commands name exist.
 */
@Execution(ExecutionMode.CONCURRENT)
class DocumentedCommandsTest {
    private static final Path ROOT = Checkout.ROOT;
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```");
    private static final Pattern SPAN = Pattern.compile("`([^`\\n]+)`");
    private static final Pattern SETTING = Pattern.compile("\\bOBSERVATORY_[A-Z_]+[A-Z]\\b");
    private static final Pattern PROFILE = Pattern.compile("(?s)<profile>(?:\\s|<!--.*?-->)*<id>([^<]+)</id>");
    private static final Pattern TEST_JAR = Pattern.compile("<artifactId>([^<]+)</artifactId>.*<type>test-jar</type>");
    private static final Pattern MADE_BY_RUN =
            Pattern.compile("(?s)<id>run</id>.*<id>default-testCompile</id><configuration><skip>false</skip>");
    private static final Pattern SOURCE_FILE =
            Pattern.compile("(deploy|docs|examples|gateway|ingest|skills|standalone|streams|testbed|tests|topics)/"
                    + "(?!target/)[\\w./-]+\\.\\w+");
    private static final Set<String> COMMAND_BLOCKS = Set.of("", "sh");
    private static final Set<String> MAVEN = Set.of("-ntp", "-am", "-q", "-B", "-o", "verify", "test");

    /** Properties of Maven's own plugins. */
    private static final Set<String> PLUGIN_PROPERTIES = Set.of("test", "skipTests", "surefire.failIfNoSpecifiedTests");

    private final Endpoints endpoints = Endpoints.read(ROOT);
    private final String poms = poms();
    private final String sources = sources();
    private final String dockerfile = Files.readString(ROOT.resolve("Dockerfile"));
    private final TreeSet<String> problems = new TreeSet<>();
    private int checked;

    DocumentedCommandsTest() throws IOException {}

    private static String poms() throws IOException {
        var all = new StringBuilder();
        for (String module : modules()) {
            all.append(Files.readString(ROOT.resolve(module).resolve("pom.xml")));
        }
        return all.toString();
    }

    private static List<String> modules() throws IOException {
        try (var folders = Files.walk(ROOT, 2)) {
            return folders.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .map(folder -> ROOT.relativize(folder).toString())
                    .toList();
        }
    }

    @Test
    void commandsFitWhatTheyRun() throws IOException {
        for (Path page : Prose.files(ROOT, ".md")) {
            String text = Files.readString(page);
            String name = ROOT.relativize(page).toString();
            BLOCK.matcher(text)
                    .results()
                    .filter(block -> COMMAND_BLOCKS.contains(block.group(1)))
                    .flatMap(block -> block.group(2).lines())
                    .forEach(line -> check(name, line, true));
            SPAN.matcher(BLOCK.matcher(text).replaceAll(""))
                    .results()
                    .map(span -> span.group(1).replace("\\|", "|"))
                    .forEach(span -> span(name, span));
        }
        assertTrue(checked > 100, checked + " commands");
        assertEquals(new TreeSet<String>(), problems);
    }

    /** The run command compiles no tests. Maven ends on a fresh machine where a service's module names a test jar that is not made. */
    @Test
    void runCommandMakesNamedTestJars() throws IOException {
        var named = new TreeSet<String>();
        var made = new TreeSet<String>();
        for (String module : modules()) {
            String pom = Files.readString(ROOT.resolve(module).resolve("pom.xml"));
            if (!module.isEmpty() && !module.startsWith("tests")) {
                TEST_JAR.matcher(pom).results().map(jar -> jar.group(1)).forEach(named::add);
            }
            if (MADE_BY_RUN.matcher(pom).find()) {
                made.add(module.replace('/', '-'));
            }
        }
        assertEquals(made, named);
    }

    private void span(String page, String span) {
        boolean ofVenue = page.startsWith("ingest/") && !span.contains("/api/v1");
        if (ofVenue && span.matches("(GET )?/.*")) {
            return;
        }
        if (span.startsWith("{base}/") || span.startsWith("/")) {
            check(page, "GET " + span.replace("{base}", ""), true);
        } else if (span.startsWith("--")) {
            option(span.split("[ =]")[0], problem -> problems.add(page + ": " + problem));
        } else if (span.matches("-[DP][a-z].*")) {
            check(page, "mvn " + span, true);
        } else {
            check(page, span, false);
        }
    }

    /** Checks each command of a line; a span of code need not be one. */
    private void check(String page, String line, boolean command) {
        Consumer<String> report = problem -> problems.add(page + ": " + line.strip() + ": " + problem);
        for (List<String> words : ShellLine.commands(line)) {
            List<String> arguments = words.subList(1, words.size());
            words.stream()
                    .map(word -> word.replace("<venue>", "binance"))
                    .filter(word -> SOURCE_FILE.matcher(word).matches() && !Files.exists(ROOT.resolve(word)))
                    .forEach(word -> report.accept("no file " + word));
            switch (words.getFirst()) {
                case "observatory" -> observatory(arguments, report);
                case "java" -> java(arguments, report);
                case "mvn", "./mvnw" -> maven(arguments, report);
                case "docker" -> docker(arguments, report);
                case "helm" -> helm(arguments, report);
                case "kcat" -> topic(arguments, report);
                case "GET" -> endpoints.problem(arguments.getFirst()).ifPresent(report);
                case "curl" ->
                    arguments.stream()
                            .filter(word -> word.contains("://"))
                            .forEach(url -> endpoints.problem(url).ifPresent(report));
                case "python3", "node", "zstd" -> {}
                default -> {
                    if (command && !SOURCE_FILE.matcher(words.getFirst()).matches()) {
                        report.accept("unknown program");
                    }
                    continue;
                }
            }
            checked++;
        }
    }

    /** Names in capitals stand for values: a folder, a venue, a password. */
    private static void observatory(List<String> arguments, Consumer<String> report) {
        String[] words = arguments.stream()
                .map(word -> word.replace("<venue>", "binance").replace("replay:DIR", "replay:."))
                .toArray(String[]::new);
        try {
            Observatory.commandLine().parseArgs(Observatory.withDefaultCommand(words));
        } catch (ParameterException problem) {
            report.accept(String.valueOf(problem.getMessage()));
        }
    }

    private static void option(String name, Consumer<String> report) {
        boolean ours = Observatory.commandLine().getSubcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .anyMatch(command -> command.findOption(name) != null);
        if (!ours && !name.equals("--build-arg")) {
            report.accept("no command has " + name);
        }
    }

    private static void java(List<String> arguments, Consumer<String> report) {
        int jar = arguments.indexOf("-jar");
        arguments.stream()
                .filter(word -> word.startsWith("@") && !Files.exists(ROOT.resolve(word.substring(1))))
                .forEach(word -> report.accept("no file " + word));
        if (jar >= 0) {
            String file = arguments.get(jar + 1);
            if (file.endsWith("observatory.jar")) {
                observatory(arguments.subList(jar + 2, arguments.size()), report);
            } else if (!Files.exists(ROOT.resolve(file.split("/")[0]).resolve("pom.xml"))) {
                report.accept("no module builds " + file);
            }
        }
    }

    private void maven(List<String> arguments, Consumer<String> report) {
        Set<String> profiles =
                PROFILE.matcher(poms).results().map(found -> found.group(1)).collect(Collectors.toSet());
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            if (word.startsWith("-P")) {
                if (!profiles.contains(word.substring(2))) {
                    report.accept("no profile " + word.substring(2));
                }
            } else if (word.equals("-pl")) {
                i++;
                if (!Files.exists(ROOT.resolve(arguments.get(i)).resolve("pom.xml"))) {
                    report.accept("no module " + arguments.get(i));
                }
            } else if (word.startsWith("-D")) {
                String[] property = word.substring(2).split("=", 2);
                property(property[0], property.length == 2 ? property[1] : "", report);
            } else if (!MAVEN.contains(word)) {
                report.accept("unknown to this test: " + word);
            }
        }
    }

    private void property(String name, String value, Consumer<String> report) {
        boolean known = PLUGIN_PROPERTIES.contains(name)
                || List.of("<" + name + ">", "${" + name + "}", "<name>" + name + "</name>").stream()
                        .anyMatch(poms::contains)
                || sources.contains("System.getProperty(\"" + name + "\"");
        if (!known) {
            report.accept("neither a pom nor a test reads " + name);
        }
        if (name.equals("observatory.args") && !value.equals("…")) {
            observatory(List.of(value.split(" ")), report);
        }
        if (name.equals("faults.args")) {
            for (String word : value.split(" ")) {
                if (word.matches("-*[a-z]+") && !sources.contains("\"" + word + "\"")) {
                    report.accept("the fault suite has no " + word);
                }
            }
        }
    }

    private static String sources() throws IOException {
        var all = new StringBuilder();
        for (Path file : Prose.files(ROOT, ".java")) {
            all.append(Files.readString(file));
        }
        return all.toString();
    }

    private void docker(List<String> arguments, Consumer<String> report) {
        for (int i = 0; i + 1 < arguments.size(); i++) {
            String value = arguments.get(i + 1);
            String declared = switch (arguments.get(i)) {
                case "--target" -> " AS " + value;
                case "--build-arg" -> "ARG " + value.split("=")[0];
                default -> "";
            };
            if (!dockerfile.contains(declared)) {
                report.accept("the Dockerfile has no" + declared);
            }
        }
    }

    private static void helm(List<String> arguments, Consumer<String> report) {
        for (int i = 0; i + 1 < arguments.size(); i++) {
            if (arguments.get(i).equals("--set")) {
                String path = arguments.get(i + 1).split("=")[0];
                if (!Endpoints.has(ROOT.resolve("deploy/helm/funding-observatory/values.yaml"), path)) {
                    report.accept("the chart has no value " + path);
                }
            }
        }
    }

    private static void topic(List<String> arguments, Consumer<String> report) {
        int topic = arguments.indexOf("-t");
        if (topic >= 0
                && Topics.typed().stream().noneMatch(known -> known.name().equals(arguments.get(topic + 1)))
                && Topics.plain().stream().noneMatch(known -> known.name().equals(arguments.get(topic + 1)))) {
            report.accept("no topic " + arguments.get(topic + 1));
        }
    }

    @Test
    void variablesAreSettings() throws IOException {
        Set<String> settings = SPAN.matcher(Files.readString(ROOT.resolve("docs/operations/settings.md")))
                .results()
                .map(span -> span.group(1).toUpperCase(Locale.ROOT).replaceAll("[.-]", "_"))
                .filter(name -> name.startsWith("OBSERVATORY_"))
                .collect(Collectors.toSet());
        assertTrue(settings.size() > 30, settings.toString());
        String compose = Files.readString(ROOT.resolve("compose.yaml"));
        var unknown = new ArrayList<String>();
        for (Path page : Prose.files(ROOT, ".md")) {
            SETTING.matcher(Files.readString(page))
                    .results()
                    .map(found -> found.group())
                    .filter(name -> !settings.contains(name) && !name.startsWith("OBSERVATORY_KAFKA_CLIENT_"))
                    .filter(name -> !compose.contains("${" + name) && !name.equals(KafkaFixture.CHOICE))
                    .forEach(name -> unknown.add(ROOT.relativize(page) + ": " + name));
        }
        assertEquals(List.of(), unknown);
    }
}
