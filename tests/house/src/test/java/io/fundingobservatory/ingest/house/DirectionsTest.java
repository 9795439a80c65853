package io.fundingobservatory.ingest.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.fundingobservatory.standalone.house.Imported;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Six floors, and imports go down only. Readers and guards are pure; one package imports HTTP, two import Kafka. */
class DirectionsTest {
    private static final String INGEST = "io.fundingobservatory.ingest";
    private static final JavaClasses CLASSES = Imported.in(INGEST);

    /** The packages, ground floor first. The service itself, in the package of the module, is above them. */
    private static final List<Set<String>> FLOORS = List.of(
            Set.of("json"),
            // Events of publishing carry the reasons of json, so that a label stays a constant of the program.
            Set.of("spec", "publish"),
            Set.of("venues", "client"),
            Set.of("backfill"),
            Set.of("poll"));

    @Test
    void importsGoDownOnly() {
        var below = new ArrayList<String>();
        for (Set<String> floor : FLOORS) {
            floor.forEach(name -> assertImportsOnly(name, below));
            below.addAll(floor);
        }
    }

    @Test
    void everyClassIsInAPackage() {
        Set<String> packages = FLOORS.stream().flatMap(Set::stream).collect(Collectors.toCollection(TreeSet::new));
        Set<String> found = CLASSES.stream()
                .map(type -> type.getPackageName().substring(INGEST.length()))
                .filter(name -> !name.isEmpty())
                .map(name -> name.substring(1).replaceFirst("\\..*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(packages, found);
    }

    @Test
    void readersAndGuardsArePure() {
        noClasses()
                .that()
                .resideInAnyPackage(INGEST + ".json", INGEST + ".spec", INGEST + ".venues", INGEST + ".poll.guards")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.apache.kafka..",
                        "io.micronaut..",
                        "io.netty..",
                        "java.net.http..",
                        "java.nio.file..",
                        "org.slf4j..")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(java.time.InstantSource.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(java.net.Socket.class)
                .check(CLASSES);
    }

    @Test
    void onlyTheClientImportsHttp() {
        noClasses()
                .that()
                .resideOutsideOfPackage(INGEST + ".client")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.micronaut.http..", "io.netty..", "reactor..")
                .check(CLASSES);
    }

    @Test
    void pollingImportsNeitherHttpNorKafka() {
        noClasses()
                .that()
                .resideInAnyPackage(INGEST + ".poll..", INGEST + ".backfill", INGEST + ".client")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka..")
                .check(CLASSES);
    }

    @Test
    void theServicesMeetInKafkaOnly() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.fundingobservatory.streams..",
                        "io.fundingobservatory.gateway..",
                        "io.fundingobservatory.testbed..")
                .check(CLASSES);
    }

    /** A package uses itself and the packages below it. */
    private static void assertImportsOnly(String own, List<String> below) {
        String[] known = Stream.concat(Stream.of(own), below.stream())
                .map(name -> INGEST + '.' + name + "..")
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(INGEST + '.' + own + "..")
                .should()
                .dependOnClassesThat(resideInAPackage(INGEST + "..").and(resideOutsideOfPackages(known)))
                .check(CLASSES);
    }
}
