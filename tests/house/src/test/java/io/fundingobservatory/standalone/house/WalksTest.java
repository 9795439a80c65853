package io.fundingobservatory.standalone.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import io.fundingobservatory.testbed.Checkout;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The walks of ARCHITECTURE.md follow the code. Each class of a list exists, and of two neighbours one refers
 * to the other. Next to a topic, the class before and the class after refer to that topic.
 *
 * <p>The first walk is in the order of calls. A class refers to the class that follows it, or is the interface that this one
 * implements. In all walks, a step can return to an earlier class (again), and a timer or a request begins a new chain.
 */
class WalksTest {
    private static final String BASE = "io.fundingobservatory.";
    private static final Path ARCHITECTURE = Checkout.ROOT.resolve("ARCHITECTURE.md");
    private static final Pattern STEP = Pattern.compile("\\d+\\. `([^`]+)` *(.*)");
    private static final JavaClasses CLASSES = Imported.ALL;

    /** A class or a topic of a walk, and what the page says about it. */
    private record Step(String name, String text) {}

    /** The lists under {@code ### } headings of the chapter on walks, by heading. */
    private static Map<String, List<Step>> walks() throws IOException {
        var walks = new LinkedHashMap<String, List<Step>>();
        boolean inChapter = false;
        List<Step> steps = new ArrayList<>();
        for (String line : Files.readAllLines(ARCHITECTURE)) {
            if (line.startsWith("## ")) {
                inChapter = line.equals("## Three walks");
            } else if (inChapter && line.startsWith("### ")) {
                steps = new ArrayList<>();
                walks.put(line.substring(4), steps);
            } else if (inChapter) {
                Matcher step = STEP.matcher(line);
                if (step.matches()) {
                    steps.add(new Step(step.group(1), step.group(2)));
                }
            }
        }
        return walks;
    }

    @Test
    void thereAreThree() throws IOException {
        assertEquals(3, walks().size());
        walks().forEach((title, steps) -> assertTrue(steps.size() > 4, title + steps));
    }

    @TestFactory
    Stream<DynamicTest> eachStepLeadsToTheNext() throws IOException {
        return walks().entrySet().stream()
                .map(walk -> DynamicTest.dynamicTest(walk.getKey(), () -> walk(walk.getValue())));
    }

    @Test
    void firstWalkIsInOrderOfCalls() throws IOException {
        List<Step> steps = walks().values().iterator().next();
        assertEquals(List.of(), broken(steps, WalksTest::calls), "the first does not call the second");
    }

    /** From {@code settlements.raw} to {@code settlements}: a newcomer reads eight classes, two drawings included, in this order. */
    @Test
    void settlementIsPublishedByFewClassesInOrder() throws IOException {
        List<Step> steps = walks().values().stream().skip(1).findFirst().orElseThrow();
        List<String> names = steps.stream().map(Step::name).toList();
        List<Step> published = steps.subList(
                names.indexOf("streams.rates.SettlementProcessor"), names.lastIndexOf("streams.pairs.Ledger") + 1);
        assertEquals(List.of(), broken(published, WalksTest::calls), "the first does not call the second");
        long classes = published.stream()
                .map(Step::name)
                .filter(name -> topic(name).isEmpty())
                .distinct()
                .count();
        assertTrue(classes <= 8, () -> classes + " classes: " + published);
    }

    private static boolean calls(String from, String to) {
        return topic(from).isPresent()
                || topic(to).isPresent()
                || refers(type(from), type(to))
                || type(to).isAssignableTo(BASE + from);
    }

    private static void walk(List<Step> steps) {
        assertEquals(List.of(), broken(steps, WalksTest::leads), "neither refers to the other");
    }

    private static List<String> broken(List<Step> steps, BiPredicate<String, String> related) {
        var broken = new ArrayList<String>();
        for (int i = 1; i < steps.size(); i++) {
            String from = steps.get(i - 1).name();
            String to = steps.get(i).name();
            if (!beginsChain(steps.subList(0, i), steps.get(i)) && !related.test(from, to)) {
                broken.add(from + " and " + to);
            }
        }
        return broken;
    }

    private static boolean beginsChain(List<Step> before, Step step) {
        return step.text().startsWith("request:")
                || (step.text().startsWith("timer of") && runs(type(step.name())))
                || (step.text().startsWith("again")
                        && before.stream().anyMatch(earlier -> earlier.name().equals(step.name())));
    }

    /** Whether it runs on a thread, or starts its own. */
    private static boolean runs(JavaClass type) {
        return type.isAssignableTo(Runnable.class)
                || whole(type)
                        .flatMap(part -> part.getMethodCallsFromSelf().stream())
                        .anyMatch(call -> call.getTargetOwner().isAssignableTo(Thread.Builder.class));
    }

    private static boolean leads(String from, String to) {
        Optional<Topic<?>> fromTopic = topic(from);
        Optional<Topic<?>> toTopic = topic(to);
        if (fromTopic.isPresent() || toTopic.isPresent()) {
            String constant = constant(toTopic.or(() -> fromTopic).orElseThrow());
            return accesses(type(toTopic.isPresent() ? from : to), constant);
        }
        return refers(type(from), type(to)) || refers(type(to), type(from));
    }

    private static JavaClass type(String name) {
        assertTrue(CLASSES.contain(BASE + name), () -> "no such class: " + BASE + name);
        return CLASSES.get(BASE + name);
    }

    /** With its nested classes and lambdas. */
    private static Stream<JavaClass> whole(JavaClass type) {
        return CLASSES.stream()
                .filter(other -> other.equals(type) || other.getName().startsWith(type.getName() + "$"));
    }

    private static boolean refers(JavaClass from, JavaClass to) {
        return whole(from)
                .flatMap(part -> part.getDirectDependenciesFromSelf().stream())
                .map(dependency -> dependency.getTargetClass().getName())
                .anyMatch(name -> name.equals(to.getName()) || name.startsWith(to.getName() + "$"));
    }

    private static boolean accesses(JavaClass type, String constant) {
        return whole(type)
                .flatMap(part -> part.getFieldAccessesFromSelf().stream())
                .anyMatch(access -> access.getTargetOwner().isEquivalentTo(Topics.class)
                        && access.getTarget().getName().equals(constant));
    }

    private static Optional<Topic<?>> topic(String name) {
        return Topics.typed().stream()
                .<Topic<?>>map(topic -> topic)
                .filter(topic -> topic.name().equals(name))
                .findFirst();
    }

    /** The constant of the catalogue that holds a topic. */
    private static String constant(Topic<?> topic) {
        var names = new TreeSet<String>();
        for (Field field : Topics.class.getDeclaredFields()) {
            try {
                if (field.getType() == Topic.class && field.get(null) == topic) {
                    names.add(field.getName());
                }
            } catch (IllegalAccessException e) {
                // a private constant
            }
        }
        assertEquals(1, names.size(), () -> topic.name() + " is " + names);
        return names.first();
    }
}
