package io.fundingobservatory.standalone.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.fundingobservatory.testbed.sim.Wire;
import java.net.Socket;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which package may know which. Names without their beginning are packages of the project. */
class DirectionsTest {
    private static final String OURS = "io.fundingobservatory.";
    private static final Set<String> MODULES =
            Set.of("topics", "runtime", "testbed", "ingest", "streams", "gateway", "standalone");

    /** The classes that ship. The tests of a packaged module are in a test jar, which the first option does not know. */
    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.fundingobservatory");

    /** The packages of ingest, ground floor first. The service itself, in the package of the module, is above them. */
    private static final List<Set<String>> FLOORS = List.of(
            Set.of("json"),
            // Events of publishing carry the reasons of json, so that a label stays a constant of the program.
            Set.of("spec", "publish"),
            Set.of("venues", "client"),
            Set.of("backfill"),
            Set.of("poll"));

    private static String[] packages(String words) {
        return Stream.of(words.split(" "))
                .map(word -> MODULES.contains(word.split("\\.")[0]) ? OURS + word : word)
                .toArray(String[]::new);
    }

    /** Services meet in Kafka only. What is computed needs no brokers, framework, clock or file. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            gateway..                                           | ingest.. streams..
            ingest..                                            | streams.. gateway.. testbed..
            ingest.json ingest.spec ingest.venues ingest.poll.guards | org.apache.kafka.. io.micronaut.. io.netty.. java.net.http.. java.nio.file.. org.slf4j..
            ingest.poll.. ingest.backfill ingest.client         | org.apache.kafka..
            ingest ingest.json.. ingest.spec.. ingest.publish.. ingest.venues.. ingest.backfill.. ingest.poll.. | io.micronaut.http.. io.netty.. reactor..
            streams..                                           | ingest.. gateway.. standalone.. testbed..
            streams.normalisation..                             | org.apache.kafka.. io.micronaut.. io.micrometer.. org.slf4j.. java.io.. java.net.. java.nio.file.. streams.rates.. streams.pairs.. streams
            streams.settlements.. streams.listings.. streams.carry.. | org.apache.kafka.. io.micronaut.. org.slf4j.. java.io.. java.net.. java.nio.file..
            streams.rates..                                     | io.micronaut.. io.micrometer.. streams streams.lifecycle.. streams.pairs..
            streams.pairs..                                     | io.micronaut.. io.micrometer.. streams streams.lifecycle.. streams.rates..
            testbed.broker..                                    | testbed.sim..
            testbed.sim..                                       | testbed.broker.. org.apache.kafka..
            topics.normalisation                                | java.io.. java.nio.. java.net.. java.time..
            """)
    void knowsNothingOf(String packages, String others) {
        noClasses()
                .that()
                .resideInAnyPackage(packages(packages))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages(others))
                .check(ALL);
    }

    /** Teams that consume the topics load kafka-clients and jackson-core, and no other library. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            gateway.core.. gateway.traffic..        | topics.. io.netty.buffer..
            topics..                                | org.apache.kafka.common..
            topics.json topics.records topics.carry | topics.json
            topics.normalisation                    | topics.records
            """)
    void knowsOnlyItselfAndJava(String packages, String others) {
        classes()
                .that()
                .resideInAnyPackage(packages(packages))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        packages(packages + " " + others + " com.fasterxml.jackson.core.. org.jspecify.. java.."))
                .check(ALL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gateway.core..",
                "gateway.traffic..",
                "streams.normalisation..",
                "streams.processing..",
                "ingest.json",
                "ingest.spec",
                "ingest.venues",
                "ingest.poll.guards"
            })
    void readsNoClockAndOpensNoSocket(String packages) {
        noClasses()
                .that()
                .resideInAnyPackage(packages(packages))
                .should()
                .dependOnClassesThat()
                .areAssignableTo(InstantSource.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Socket.class)
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Instant.class, "now")
                .check(ALL);
    }

    @ParameterizedTest
    @CsvSource({
        "topics, (**)",
        "testbed, (**)",
        "streams, (**)",
        "gateway, (**)",
        "gateway, io.fundingobservatory.gateway.core.(*)..",
        "standalone, (**)"
    })
    void packagesHaveNoCycles(String module, String slices) {
        slices().matching(slices).should().beFreeOfCycles().check(in(OURS + module));
    }

    private static JavaClasses in(String module) {
        JavaClasses classes = ALL.that(resideInAPackage(module + ".."));
        assertFalse(classes.isEmpty(), module);
        return classes;
    }

    @Test
    void ingestImportsGoDownOnly() {
        String ingest = OURS + "ingest";
        var below = new ArrayList<String>();
        for (Set<String> floor : FLOORS) {
            for (String own : floor) {
                String[] known = Stream.concat(Stream.of(own), below.stream())
                        .map(name -> ingest + '.' + name + "..")
                        .toArray(String[]::new);
                noClasses()
                        .that()
                        .resideInAPackage(ingest + '.' + own + "..")
                        .should()
                        .dependOnClassesThat(resideInAPackage(ingest + "..").and(resideOutsideOfPackages(known)))
                        .check(ALL);
            }
            below.addAll(floor);
        }
        Set<String> found = in(ingest).stream()
                .map(type -> type.getPackageName().substring(ingest.length()))
                .filter(name -> !name.isEmpty())
                .map(name -> name.substring(1).replaceFirst("\\..*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(new TreeSet<>(below), found);
    }

    @Test
    void wiresAreNamedAfterTheirVenue() {
        classes()
                .that()
                .implement(Wire.class)
                .should()
                .haveSimpleNameEndingWith("Wire")
                .andShould()
                .resideInAPackage(OURS + "testbed.sim.venues")
                .check(ALL);
    }
}
