package io.fundingobservatory.faults.planted;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BugTest {
    /** A class that moves, or a constant that is written otherwise, would leave a planted run without its bug. */
    @ParameterizedTest
    @EnumSource
    void isPlantedInTheClassItNames(Bug bug) throws IOException {
        try (var file = getClass().getResourceAsStream("/" + bug.className() + ".class")) {
            assertNotNull(file, bug.className());
            assertTrue(bug.planted(file.readAllBytes()).length > 0);
        }
    }
}
