package io.fundingobservatory.standalone.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.http.PortMeters;
import io.fundingobservatory.testbed.Checkout;
import io.fundingobservatory.topics.Retention;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.access.Grant;
import io.fundingobservatory.topics.access.Role;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;

/** The pages in docs/operations list what the services do, and nothing that they do not. */
class OperationsPageTest {
    /** Classes whose texts are words for people and programs: every one with an underscore, and those that are named. */
    private static final Map<String, Set<String>> WORDS_OF_REASONS = Map.of(
            "ingest/json/Skip.class", Set.of("contradicted"),
            "ingest/poll/guards/RowGuard.class", Set.of(),
            "ingest/poll/guards/IntervalGuard.class", Set.of(),
            "streams/processing/RecordProcessor.class", Set.of("unreadable"),
            "streams/normalisation/Plausibility.class", Set.of(),
            "streams/processing/DeadLetter.class", Set.of(),
            "streams/carry/Coverage.class", Set.of("gap", "relisted", "contradictory"),
            "streams/carry/PairTable.class", Set.of());

    private final Page page;

    OperationsPageTest() throws IOException {
        page = Page.operations();
    }

    @Test
    void listsEverySettingWithDefaultAndMeaning() throws IOException {
        GeneratedTables.check("settings.md", "Settings", GeneratedTables.settings());
    }

    @Test
    void managementPortIsSameInEveryService() throws IOException {
        for (String module : List.of("ingest", "streams", "gateway")) {
            assertTrue(
                    Files.readString(Checkout.ROOT.resolve(module).resolve("src/main/resources/application.yml"))
                            .contains("${observatory.management.port:8081}"),
                    module);
        }
    }

    @Test
    void listsEveryTopicAsItIsCreated() {
        Map<String, String> expected = new TreeMap<>();
        for (Topic<?> topic : Topics.typed()) {
            expected.put(topic.name(), topic.partitions() + " " + retention(topic.policy()));
        }
        for (Topics.PlainTopic topic : Topics.plain()) {
            expected.put(topic.name(), topic.partitions() + " " + retention(topic.policy()));
        }
        Map<String, String> written = new TreeMap<>();
        for (List<String> row : page.rows("Topics")) {
            written.put(plain(row.get(0)), row.get(1) + " " + row.get(2));
        }
        assertEquals(lines(expected), lines(written));
    }

    private static String retention(Retention policy) {
        return switch (policy) {
            case Retention.Delete(var age, var bytes) -> age.toDays() + " d";
            case Retention.DeleteStamped(var age, var bytes) -> age.toDays() + " d";
            case Retention.Compact() -> "newest of each key";
            case Retention.CompactStamped() -> "newest of each key";
        };
    }

    @Test
    void everyRoleHasTheRightsOfItsColumn() {
        List<Role> columns = List.of(Role.INGEST, Role.STREAMS, Role.GATEWAY, Role.TEAM);
        Map<String, String> written = new TreeMap<>();
        for (List<String> row : page.rows("Roles on the brokers")) {
            for (Role role : columns) {
                written.put(role.word() + " " + plain(row.get(0)), row.get(1 + columns.indexOf(role)));
            }
        }
        Map<String, String> granted = new TreeMap<>();
        written.keySet().forEach(pair -> granted.put(pair, ""));
        for (Role role : columns) {
            for (Grant grant : role.grants()) {
                if (grant.resource().resourceType() == ResourceType.TOPIC
                        && grant.resource().patternType() == PatternType.LITERAL) {
                    granted.put(
                            role.word() + " " + grant.resource().name(),
                            Stream.of(AclOperation.READ, AclOperation.WRITE)
                                    .filter(grant.operations()::contains)
                                    .map(operation -> operation.name().toLowerCase(Locale.ROOT))
                                    .collect(Collectors.joining(", ")));
                }
            }
        }
        assertEquals(lines(granted), lines(written));
    }

    @Test
    void listsEveryAlertWithFirstStep() throws IOException {
        GeneratedTables.check("metrics-and-alerts.md", "Alerts", GeneratedTables.alerts());
    }

    @Test
    void everyWordOfAReasonIsExplained() throws IOException {
        var words = new TreeSet<String>();
        for (var entry : WORDS_OF_REASONS.entrySet()) {
            Set<String> texts = Classes.textsOf(entry.getKey());
            words.addAll(texts.stream()
                    .filter(text -> text.matches("[a-z]+(_[a-z0-9]+)+"))
                    .toList());
            for (String plain : entry.getValue()) {
                assertTrue(texts.contains(plain), entry.getKey() + " says " + plain);
                words.add(plain);
            }
        }
        Rate.CODEC.fields().forEach(field -> words.add(field.about().whenNull()));
        words.remove("");
        for (PortMeters.Reason reason : PortMeters.Reason.values()) {
            words.add(reason.name().toLowerCase(Locale.ROOT));
        }
        // Statuses of the HTTP interface.
        words.addAll(List.of(
                "unreadable", "unknown_address", "read_only", "refused", "not_yet", "starting", "busy", "failed"));
        Set<String> explained = Page.code(page.section("Reasons")).collect(Collectors.toSet());
        words.removeAll(explained);
        // Fields that reasons are about.
        words.removeAll(EncodedRow.COLUMNS.fields().names());
        words.removeAll(Quote.CODEC.fieldNames());
        words.remove("venue_time");
        assertEquals(Set.of(), words, "not explained");
    }

    @Test
    void listsExactlyTheLoggedLines() throws IOException {
        List<String> table = GeneratedTables.logLines(page);
        assertTrue(table.size() > 30, table.size() + " lines");
        GeneratedTables.check("reasons-and-log-lines.md", "Log lines", table);
        assertEquals(
                List.of(), table.stream().filter(line -> line.endsWith("| ? |")).toList(), "not explained");
    }

    /** Kafka's own classes have the lines that the page explains; an upgrade of Kafka that changes one is noticed. */
    @Test
    void linesOfKafkaAreKafkas() throws IOException {
        Map<String, String> classes = Map.of(
                "ConsumerCoordinator", "clients.consumer.internals.AbstractCoordinator",
                "FetchSessionHandler", "clients.FetchSessionHandler",
                "StateDirectory", "streams.processor.internals.StateDirectory",
                "EventPerformanceMonitor", "controller.EventPerformanceMonitor",
                "RecordCollectorImpl", "streams.processor.internals.RecordCollectorImpl",
                "ProcessorStateManager", "streams.processor.internals.ProcessorStateManager",
                "StreamThread", "streams.processor.internals.StreamThread");
        String section = page.section("Log lines");
        String table = section.substring(section.indexOf("### Lines of Kafka"));
        int lines = 0;
        for (MatchResult row : Pattern.compile("\\| (\\w+): ([^|]+) \\|")
                .matcher(table)
                .results()
                .toList()) {
            String file = "/org/apache/kafka/"
                    + Objects.requireNonNull(classes.get(row.group(1)), row.group(1))
                            .replace('.', '/') + ".class";
            byte[] bytes;
            try (var in = Objects.requireNonNull(NetworkClient.class.getResourceAsStream(file), file)) {
                bytes = in.readAllBytes();
            }
            String texts = new String(bytes, StandardCharsets.ISO_8859_1);
            for (String line : row.group(2).split(" …, ")) {
                lines++;
                String text = line.split(" …")[0];
                assertTrue(texts.contains(text), row.group(1) + " has no line " + text);
            }
        }
        assertEquals(9, lines);
    }

    /** The last column has alerts and lines of the log. */
    @Test
    void failureTableNamesWhatIsSeen() throws IOException {
        String rules = Files.readString(Checkout.ROOT.resolve("deploy/prometheus/rules.yaml"));
        Set<String> texts =
                Classes.texts().stream().map(text -> text.replace("{}", "…")).collect(Collectors.toSet());
        int seen = 0;
        for (List<String> row : Page.read("ARCHITECTURE.md").rows("When something fails")) {
            for (String code : Page.code(row.get(2)).toList()) {
                seen++;
                assertTrue(
                        rules.contains("- alert: " + code + "\n")
                                || texts.stream().anyMatch(text -> text.startsWith(code)),
                        "neither an alert nor a line of the log: " + code);
            }
        }
        assertTrue(seen >= 15, seen + " are named");
    }

    /** A recovery that took longer than its bound is marked, and no other. */
    @Test
    void missedRecoveryBoundsAreMarked() throws IOException {
        int missed = 0;
        for (List<String> row : Page.read("docs/operations/recovery.md").rows("Fault results")) {
            String[] worst = row.get(2).split(" ", 2);
            boolean over = Double.parseDouble(worst[0]) > Double.parseDouble(row.get(3));
            assertEquals(over, worst.length == 2 && worst[1].equals("**missed**"), row.toString());
            missed += over ? 1 : 0;
        }
        assertTrue(missed < 5, missed + " of the bounds are missed");
    }

    @Test
    void namesExistingFilesOnly() {
        List<String> files = Stream.of("Starting", "Metrics", "Alerts")
                .flatMap(section -> Page.code(page.section(section)))
                .flatMap(code -> Arrays.stream(code.split(" ")))
                .filter(word -> word.matches("(deploy|docs)/[a-z/.-]+"))
                .toList();
        assertTrue(files.size() >= 5, files.toString());
        for (String file : files) {
            assertTrue(Files.exists(Checkout.ROOT.resolve(file)), file);
        }
    }

    private static String plain(String cell) {
        return cell.replace("`", "");
    }

    private static String lines(Map<String, String> map) {
        return new TreeMap<>(new HashMap<>(map))
                .entrySet().stream()
                        .map(entry -> entry.getKey() + " = " + entry.getValue())
                        .collect(Collectors.joining("\n"));
    }
}
