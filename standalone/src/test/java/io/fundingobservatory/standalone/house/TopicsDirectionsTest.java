package io.fundingobservatory.standalone.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The module topics, which teams depend on: codec, records, catalogue, and on top what only services need. */
class TopicsDirectionsTest {
    private static final String TOPICS = "io.fundingobservatory.topics";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(TOPICS);

    @Test
    void eachPackageKnowsThoseBelowItOnly() {
        slices().matching("io.fundingobservatory.(**)")
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    @Test
    void recordsAndTheirCodecKnowNoKafka() {
        classes()
                .that()
                .resideInAnyPackage(TOPICS + ".json", TOPICS + ".records", TOPICS + ".carry")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        TOPICS + ".json",
                        TOPICS + ".records",
                        TOPICS + ".carry",
                        "com.fasterxml.jackson.core..",
                        "org.jspecify..",
                        "java..")
                .check(CLASSES);
    }

    /** Logback and the admin client are for services: who reads a topic in another team has neither. */
    @Test
    void topicsModuleNeedsNothingOfServices() {
        noClasses()
                .that()
                .resideInAnyPackage(TOPICS, TOPICS + ".json", TOPICS + ".records", TOPICS + ".carry")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        TOPICS + ".kafka", TOPICS + ".access", "ch.qos.logback..", "org.apache.kafka.clients..")
                .check(CLASSES);
    }
}
