package io.fundingobservatory.standalone.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The walks of ARCHITECTURE.md follow the code. Each class of a list exists, and of two neighbours one refers
 * to the other. Next to a topic, the class before and the class after refer to that topic.
 */
class WalksTest {
    private static final String BASE = "io.fundingobservatory.";
    private static final Path ARCHITECTURE =
            Path.of("").toAbsolutePath().getParent().resolve("ARCHITECTURE.md");
    private static final Pattern STEP = Pattern.compile("\\d+\\. `([^`]+)`.*");
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.fundingobservatory");

    /** The lists under {@code ### } headings of the chapter on walks, by heading. */
    private static Map<String, List<String>> walks() throws IOException {
        var walks = new LinkedHashMap<String, List<String>>();
        boolean inChapter = false;
        List<String> steps = new ArrayList<>();
        for (String line : Files.readAllLines(ARCHITECTURE)) {
            if (line.startsWith("## ")) {
                inChapter = line.equals("## Three walks");
            } else if (inChapter && line.startsWith("### ")) {
                steps = new ArrayList<>();
                walks.put(line.substring(4), steps);
            } else if (inChapter) {
                Matcher step = STEP.matcher(line);
                if (step.matches()) {
                    steps.add(step.group(1));
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

    private static void walk(List<String> steps) {
        var broken = new ArrayList<String>();
        for (int i = 1; i < steps.size(); i++) {
            if (!leads(steps.get(i - 1), steps.get(i))) {
                broken.add(steps.get(i - 1) + " and " + steps.get(i));
            }
        }
        assertEquals(List.of(), broken, "neither refers to the other");
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
