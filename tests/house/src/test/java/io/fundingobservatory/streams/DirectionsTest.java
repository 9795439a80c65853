package io.fundingobservatory.streams;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.fundingobservatory.standalone.house.Imported;
import org.junit.jupiter.api.Test;

/** Which part may know which: the core nothing but the records, the topology no framework, nobody another service. */
class DirectionsTest {
    private static final JavaClasses CLASSES = Imported.in("io.fundingobservatory.streams");

    @Test
    void theCoreIsPure() {
        noClasses()
                .that()
                .resideInAPackage("..streams.core..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.apache.kafka..",
                        "io.micronaut..",
                        "io.micrometer..",
                        "org.slf4j..",
                        "java.io..",
                        "java.net..",
                        "java.nio.file..",
                        "..streams.rates..",
                        "..streams.pairs..",
                        "io.fundingobservatory.streams")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("..streams.core..")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .check(CLASSES);
    }

    /** Settlements, listings, carry and records below the two applications, the service above all. */
    @Test
    void packagesDependInOneDirection() {
        slices().matching("(**)").should().beFreeOfCycles().check(CLASSES);
    }

    /** What is summed and compared is computed without Kafka, a clock or a file. */
    @Test
    void valuesArePure() {
        noClasses()
                .that()
                .resideInAnyPackage("..streams.settlements..", "..streams.listings..", "..streams.carry..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.apache.kafka..",
                        "io.micronaut..",
                        "org.slf4j..",
                        "java.io..",
                        "java.net..",
                        "java.nio.file..")
                .check(CLASSES);
    }

    /** The two applications meet in Kafka, and need no client, framework or service. */
    @Test
    void applicationsKnowOnlyWhatIsBelowThem() {
        for (String[] application : new String[][] {{"rates", "pairs"}, {"pairs", "rates"}}) {
            noClasses()
                    .that()
                    .resideInAPackage("..streams." + application[0] + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "io.micronaut..",
                            "io.micrometer..",
                            "io.fundingobservatory.streams",
                            "..streams.client..",
                            "..streams." + application[1] + "..")
                    .check(CLASSES);
        }
    }

    @Test
    void servicesMeetInKafkaOnly() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.fundingobservatory.ingest..",
                        "io.fundingobservatory.gateway..",
                        "io.fundingobservatory.standalone..",
                        "io.fundingobservatory.testbed..")
                .check(CLASSES);
    }
}
