package io.fundingobservatory.standalone.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The module topics, which teams depend on: codec, records, conversion, catalogue. */
class TopicsDirectionsTest {
    private static final String TOPICS = "io.fundingobservatory.topics";
    private static final JavaClasses CLASSES = Imported.in(TOPICS);

    @Test
    void eachPackageImportsOnlyThoseBelow() {
        slices().matching("io.fundingobservatory.(**)")
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    @Test
    void recordsAndTheirCodecImportNoKafka() {
        onlyDepend(List.of(TOPICS + ".json", TOPICS + ".records", TOPICS + ".carry"), List.of());
    }

    /** Teams that consume the topics load these two libraries and no other. */
    @Test
    void needsKafkaClientsAndJacksonCoreAlone() {
        onlyDepend(List.of(TOPICS + ".."), List.of(TOPICS + "..", "org.apache.kafka.common.."));
    }

    /** Rates and names are converted without brokers, a clock or files. */
    @Test
    void normalisationIsPure() {
        onlyDepend(List.of(TOPICS + ".normalisation"), List.of(TOPICS + ".normalisation", TOPICS + ".records"));
        noClasses()
                .that()
                .resideInAPackage(TOPICS + ".normalisation")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.io..", "java.nio..", "java.net..", "java.time..")
                .check(CLASSES);
    }

    private static void onlyDepend(List<String> packages, List<String> others) {
        var allowed = new ArrayList<>(packages);
        allowed.addAll(others);
        allowed.addAll(List.of("com.fasterxml.jackson.core..", "org.jspecify..", "java.."));
        classes()
                .that()
                .resideInAnyPackage(packages.toArray(String[]::new))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed.toArray(String[]::new))
                .check(CLASSES);
    }
}
