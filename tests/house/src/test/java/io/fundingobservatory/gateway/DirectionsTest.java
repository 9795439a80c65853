package io.fundingobservatory.gateway;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.fundingobservatory.standalone.house.Imported;
import java.time.Clock;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class DirectionsTest {
    private static final JavaClasses GATEWAY = Imported.in("io.fundingobservatory.gateway");

    @Test
    void theCoreIsPure() {
        classes()
                .that()
                .resideInAnyPackage("..gateway.core..", "..gateway.traffic..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "..gateway.core..",
                        "..gateway.traffic..",
                        "io.fundingobservatory.topics..",
                        "com.fasterxml.jackson.core..",
                        // Bytes that responses share outside the heap.
                        "io.netty.buffer..",
                        "org.jspecify..",
                        "java..")
                .check(GATEWAY);
        noClasses()
                .that()
                .resideInAnyPackage("..gateway.core..", "..gateway.traffic..")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(InstantSource.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class)
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .check(GATEWAY);
    }

    /** Bytes and questions, rows and pairs, snapshots of them, the site over those: each knows those before it. */
    @Test
    void corePackagesHaveNoCycles() {
        slices().matching("..gateway.core.(*)..").should().beFreeOfCycles().check(GATEWAY);
    }

    /** Each package with those below it, this one above all of them. */
    @Test
    void packagesDependInOneDirection() {
        slices().matching("(**)").should().beFreeOfCycles().check(GATEWAY);
    }

    @Test
    void theGatewayMeetsTheOthersInKafkaOnly() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.fundingobservatory.ingest..", "io.fundingobservatory.streams..")
                .check(GATEWAY);
    }
}
