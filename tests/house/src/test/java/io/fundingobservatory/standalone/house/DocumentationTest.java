package io.fundingobservatory.standalone.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.Checkout;
import io.fundingobservatory.topics.ListedVenue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Documentation is short, plain and true. Pages have word budgets, and every link, class and test that a page
 * names exists. {@code documentation-patterns.txt} has the permitted count of each pattern that {@code
 * GLOSSARY.md} rules out.
 */
@Execution(ExecutionMode.CONCURRENT)
class DocumentationTest {
    private static final Path ROOT = Checkout.ROOT;
    private static final int SENTENCE_WORDS = 25;
    private static final int PARAGRAPH_WORDS = 90;
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
    private static final Pattern TEST_OPTION = Pattern.compile("-Dtest=([A-Za-z,]+)");
    private static final Pattern CLASS =
            Pattern.compile("`((?:[a-z]+[./])*)([A-Z][a-z]+(?:[A-Z][a-z0-9]*)+)(?:#\\w+)?`");

    private static final Pattern TEST_METHOD =
            Pattern.compile("@(?:Test|ParameterizedTest|TestFactory|FuzzTest)\\b(?:[^{;]|\\{[^}]*}\\))*?"
                    + "\\b(?:void|Stream<DynamicTest>)\\s+(\\w+)\\(");
    private static final Pattern TEXT_BLOCK = Pattern.compile("(?s)\"\"\".*?\"\"\"");
    private static final Pattern NAME_WORD = Pattern.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\\d+");
    private static final int NAME_WORDS = 8;

    /** In pages, examples of responses, and partitions of {@code venues.assignment}. */
    private static final Pattern VENUE_COUNT = Pattern.compile(
            "(?:(?:from|of) (?=\\d+ (?:exchanges|venues))|=all` all |(?:venues|exchanges)_listed['\":]+ ?|venues\\.assignment(?:` \\| |\\s+partitions: ))"
                    + "(\\d+)");

    private static final List<String> COUNTING_VENUES = List.of(
            "README.md",
            "docs/http.md",
            "docs/operations/sizing.md",
            "gateway/src/main/resources/served/openapi.yaml",
            "deploy/helm/funding-observatory/files/catalogue.yaml",
            "deploy/nginx/gateway.conf");

    /** Classes of Kafka and Micronaut, and the example in the glossary. */
    private static final Set<String> FOREIGN = Set.of(
            "BinanceWire",
            "MissingSourceTopicException",
            "OutOfOrderSequence",
            "GracefulShutdownListener",
            "GracefulShutdownManager",
            "RawHttpClientRegistry",
            "ReplicaManager",
            "PartitionsWithLateTransactionsCount");

    @Test
    void patternsOccurNoMoreThanPermitted() throws IOException {
        List<Prose> pages = Prose.pages(ROOT);
        List<Prose> javadoc = Prose.javadoc(ROOT);
        assertTrue(pages.size() > 10 && javadoc.size() > 1_000, "found the sources");
        var problems = new ArrayList<String>();
        for (String line : lines("documentation-patterns.txt")) {
            String[] parts = line.split("\\s+", 3);
            compare("Markdown", pages, parts[2], Integer.parseInt(parts[0]), problems);
            compare("Javadoc", javadoc, parts[2], Integer.parseInt(parts[1]), problems);
        }
        assertEquals(List.of(), problems);
    }

    private static void compare(String where, List<Prose> texts, String rule, int permitted, List<String> problems) {
        List<String> found = found(texts, rule);
        if (found.size() > permitted) {
            problems.add(where + " has " + found.size() + " of " + rule + ", " + permitted + " permitted:\n  "
                    + found.stream().limit(40).collect(Collectors.joining("\n  ")));
        }
    }

    private static List<String> found(List<Prose> texts, String rule) {
        return switch (rule) {
            case "sentences" -> longer(texts, Prose::sentences, SENTENCE_WORDS);
            case "paragraphs" -> longer(texts, Prose::paragraphs, PARAGRAPH_WORDS);
            default -> {
                var pattern = Pattern.compile(rule, Pattern.CASE_INSENSITIVE);
                yield texts.stream()
                        .flatMap(prose -> prose.paragraphs().stream()
                                .flatMap(paragraph -> pattern.matcher(paragraph)
                                        .results()
                                        .map(match -> prose.file() + ": " + around(paragraph, match))))
                        .toList();
            }
        };
    }

    private static String around(String paragraph, MatchResult match) {
        return paragraph.substring(Math.max(0, match.start() - 30), Math.min(paragraph.length(), match.end() + 30));
    }

    private static List<String> longer(List<Prose> texts, Function<Prose, List<String>> parts, int words) {
        return texts.stream()
                .flatMap(prose -> parts.apply(prose).stream()
                        .filter(part -> !part.startsWith("|") && Prose.words(part) > words)
                        .map(part -> prose.file() + ": " + part))
                .toList();
    }

    @Test
    void pagesKeepTheirWordBudgets() throws IOException {
        var budgets = new TreeMap<String, Integer>();
        for (String line : lines("documentation-budgets.txt")) {
            String[] parts = line.split(" ", 2);
            budgets.put(parts[1], Integer.parseInt(parts[0]));
        }
        var problems = new ArrayList<String>();
        int total = 0;
        for (Prose page : Prose.pages(ROOT)) {
            int words = page.words();
            total += words;
            Integer budget = budgets.remove(page.file());
            if (budget == null || words > budget) {
                problems.add(page.file() + " has " + words + " words of prose, " + budget + " permitted");
            }
        }
        assertEquals(Map.of(), budgets, "pages that are missing");
        assertEquals(List.of(), problems);
        System.out.println("documentation has " + total + " words of prose");
    }

    /** The lines of a test resource without comments. */
    private static List<String> lines(String resource) throws IOException {
        return Files.readAllLines(Path.of("src/test/resources", resource)).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    /** One venue more, and each of these files is out of date. */
    @Test
    void countsOfVenuesAreThatOfTheList() throws IOException {
        assertEquals(List.of(), countingOther(ListedVenue.ALL.size()));
        assertEquals(COUNTING_VENUES, countingOther(ListedVenue.ALL.size() + 1));
    }

    /** The files with another number of listed venues, or without any. */
    private static List<String> countingOther(int listed) throws IOException {
        var others = new ArrayList<String>();
        for (String file : COUNTING_VENUES) {
            Set<String> counts = VENUE_COUNT
                    .matcher(Files.readString(ROOT.resolve(file)))
                    .results()
                    .map(count -> count.group(1))
                    .collect(Collectors.toSet());
            if (!counts.equals(Set.of(Integer.toString(listed)))) {
                others.add(file);
            }
        }
        return others;
    }

    @Test
    void linksLeadToFilesAndHeadings() throws IOException {
        var broken = new TreeSet<String>();
        int links = 0;
        for (Prose page : Prose.pages(ROOT)) {
            Path file = ROOT.resolve(page.file());
            for (MatchResult link :
                    LINK.matcher(Files.readString(file)).results().toList()) {
                String target = link.group(1);
                if (target.contains("://") || target.startsWith("mailto:")) {
                    continue;
                }
                links++;
                String[] parts = target.split("#", 2);
                Path there = parts[0].isEmpty() ? file : file.resolveSibling(parts[0]);
                if (!Files.exists(there)
                        || parts.length == 2 && !headings(there).contains(parts[1])) {
                    broken.add(page.file() + " -> " + target);
                }
            }
        }
        assertTrue(links > 20, links + " links");
        assertEquals(new TreeSet<String>(), broken);
    }

    private static List<String> headings(Path page) throws IOException {
        return HEADING.matcher(Files.readString(page))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9 _-]", "")
                        .replace(' ', '-'))
                .toList();
    }

    @Test
    void testNamesHaveAtMostEightWords() throws IOException {
        int permitted = Integer.parseInt(lines("documentation-test-names.txt").getFirst());
        var longer = new ArrayList<String>();
        for (Path file : Prose.files(ROOT, "Test.java")) {
            TEST_METHOD
                    .matcher(TEXT_BLOCK.matcher(Files.readString(file)).replaceAll(""))
                    .results()
                    .map(found -> found.group(1))
                    .filter(name -> NAME_WORD.matcher(name).results().count() > NAME_WORDS)
                    .forEach(name -> longer.add(ROOT.relativize(file) + ": " + name));
        }
        assertTrue(longer.size() <= permitted, () -> permitted + " permitted: " + String.join("\n", longer));
    }

    @Test
    void classesAndTestsThatPagesNameExist() throws IOException {
        List<String> known;
        try (Stream<Path> paths = Files.walk(ROOT)) {
            known = paths.map(path -> "/" + ROOT.relativize(path))
                    .filter(name -> name.endsWith(".java"))
                    .toList();
        }
        String rules = Files.readString(ROOT.resolve("deploy/prometheus/rules.yaml"));
        var unknown = new TreeSet<String>();
        for (Prose page : Prose.pages(ROOT)) {
            String text = Files.readString(ROOT.resolve(page.file()));
            Stream.concat(
                            CLASS.matcher(text)
                                    .results()
                                    .map(found -> found.group(1).replace('.', '/') + found.group(2)),
                            TEST_OPTION
                                    .matcher(text)
                                    .results()
                                    .flatMap(found -> Stream.of(found.group(1).split(","))))
                    .filter(name -> known.stream().noneMatch(file -> file.endsWith("/" + name + ".java")))
                    .filter(name -> !FOREIGN.contains(name))
                    .filter(name -> !rules.contains("alert: " + name))
                    .forEach(name -> unknown.add(page.file() + ": " + name));
        }
        assertEquals(new TreeSet<String>(), unknown);
    }
}
