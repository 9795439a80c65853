package io.fundingobservatory.ingest.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Readers stay pure, one package knows the HTTP client, polling knows neither it nor Kafka, and ingest meets the other services in Kafka only. */
class DirectionsTest {
    private static final String INGEST = "io.fundingobservatory.ingest";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(INGEST);

    @Test
    void readersAndGuardsArePure() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        INGEST + ".answers",
                        INGEST + ".header",
                        INGEST + ".reading",
                        INGEST + ".venues",
                        INGEST + ".guards")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.apache.kafka..", "io.micronaut..", "io.netty..", "java.net.http..", "org.slf4j..")
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
    void readersStandOnHeadersAndHeadersOnAnswers() {
        assertKnowsOnly("answers");
        assertKnowsOnly("header", "answers");
        assertKnowsOnly("reading", "answers", "header");
        assertKnowsOnly("venues", "answers", "header", "reading");
    }

    @Test
    void requestsAreJudgedAboveTheHttpClientAndSentByIt() {
        assertKnowsOnly("http", "answers");
        assertKnowsOnly("fetching", "answers", "header", "reading", "http");
        noClasses()
                .that()
                .resideOutsideOfPackage(INGEST + ".http")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.micronaut.http..", "io.netty..", "reactor..")
                .check(CLASSES);
    }

    @Test
    void pollingKnowsNeitherHttpNorKafka() {
        noClasses()
                .that()
                .resideInAnyPackage(INGEST + ".polling", INGEST + ".history", INGEST + ".pacing")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(INGEST + ".http", "org.apache.kafka..", "io.micronaut..", "io.netty..", "reactor..")
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

    /** Of the packages of ingest one uses only itself and these. */
    private static void assertKnowsOnly(String part, String... others) {
        String[] known = Stream.concat(Stream.of(part), Stream.of(others))
                .map(name -> INGEST + '.' + name)
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(INGEST + '.' + part)
                .should()
                .dependOnClassesThat(resideInAPackage(INGEST + "..").and(resideOutsideOfPackages(known)))
                .check(CLASSES);
    }
}
