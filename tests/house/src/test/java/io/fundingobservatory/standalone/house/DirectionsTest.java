package io.fundingobservatory.standalone.house;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;

class DirectionsTest {
    private static final JavaClasses STANDALONE = Imported.in("io.fundingobservatory.standalone");

    /** The command line knows the packages of its commands, and none of them knows it. */
    @Test
    void packagesDependInOneDirection() {
        slices().matching("(**)").should().beFreeOfCycles().check(STANDALONE);
    }
}
