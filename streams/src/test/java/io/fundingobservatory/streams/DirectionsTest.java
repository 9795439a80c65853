package io.fundingobservatory.streams;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Which part may know which: the core nothing but the records, the topology no framework, nobody another service. */
class DirectionsTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.fundingobservatory.streams");

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
                        "..streams.topology..",
                        "io.fundingobservatory.streams")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("..streams.core..")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .check(CLASSES);
    }

    @Test
    void theTopologyKnowsNoFramework() {
        noClasses()
                .that()
                .resideInAPackage("..streams.topology..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.micronaut..", "io.micrometer..", "io.fundingobservatory.streams")
                .check(CLASSES);
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
