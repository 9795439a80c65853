package io.fundingobservatory.standalone.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.fundingobservatory.testbed.sim.Wire;
import org.junit.jupiter.api.Test;

/** The module testbed: a broker and a simulator, which share nothing but free ports. */
class TestbedDirectionsTest {
    private static final String TESTBED = "io.fundingobservatory.testbed";
    private static final JavaClasses CLASSES = Imported.in(TESTBED);

    @Test
    void brokerAndSimulatorAreIndependent() {
        noClasses()
                .that()
                .resideInAPackage(TESTBED + ".broker..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(TESTBED + ".sim..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage(TESTBED + ".sim..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(TESTBED + ".broker..", "org.apache.kafka..")
                .check(CLASSES);
    }

    @Test
    void packagesDependInOneDirection() {
        slices().matching(TESTBED + ".(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void wiresAreNamedAfterTheirVenue() {
        classes()
                .that()
                .implement(Wire.class)
                .should()
                .haveSimpleNameEndingWith("Wire")
                .andShould()
                .resideInAPackage(TESTBED + ".sim.venues")
                .check(CLASSES);
    }
}
