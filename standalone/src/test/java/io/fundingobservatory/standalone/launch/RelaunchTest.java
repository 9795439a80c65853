package io.fundingobservatory.standalone.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When the process takes its own memory, and with which command line. The runnable jar's test sees that it does. */
class RelaunchTest {
    private static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "-Xmx448m");

    private static Relaunch.Command of(Map<String, String> environment, String... arguments) {
        return Relaunch.command("/jdk/bin/java", List.of(arguments), environment, OPTIONS);
    }

    @Test
    void whatWasGivenStandsBehindItsOwnOptions() {
        Relaunch.Command command =
                of(Map.of("HOME", "/root"), "-Da=b", "-jar", "observatory.jar", "run", "--seed", "2");
        assertEquals(
                List.of(
                        "/jdk/bin/java",
                        "-XX:+UseSerialGC",
                        "-Xmx448m",
                        "-Dobservatory.relaunched=true",
                        "-Da=b",
                        "-jar",
                        "observatory.jar",
                        "run",
                        "--seed",
                        "2"),
                command.words());
        assertEquals(Map.of("HOME", "/root", "MALLOC_ARENA_MAX", "2"), command.environment());
        assertNull(
                of(Map.of(), command.words().subList(1, command.words().size()).toArray(String[]::new)), "only once");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xmx2g", "-XX:MaxRAMPercentage=50", "-XX:MaxHeapSize=1g", "@my.options", "-XX:Flags=my"})
    void whoeverSetsAHeapKeepsHisOptions(String option) {
        assertNull(of(Map.of(), option, "-jar", "observatory.jar"));
    }

    @Test
    void aHeapInTheEnvironmentCountsAsWell() {
        assertNull(of(Map.of("JAVA_TOOL_OPTIONS", "-Da=b -Xmx2g"), "-jar", "observatory.jar"));
        assertNull(of(Map.of("JDK_JAVA_OPTIONS", "-XX:MaxRAMPercentage=50"), "-jar", "observatory.jar"));
        assertEquals(
                "4",
                of(Map.of("MALLOC_ARENA_MAX", "4"), "-jar", "o.jar")
                        .environment()
                        .get("MALLOC_ARENA_MAX"));
    }

    @Test
    void anotherCollectorIsLeftAsItIs() {
        List<String> words =
                of(Map.of(), "-XX:+UseG1GC", "-jar", "observatory.jar").words();
        assertTrue(words.contains("-XX:+UseG1GC") && !words.contains("-XX:+UseSerialGC"), words.toString());
    }

    @Test
    void fromAClassPathNothingIsReplaced() {
        assertNull(of(Map.of(), "-cp", "classes", "io.fundingobservatory.standalone.Observatory"));
    }

    @Test
    void theOptionsOfTheJarAreRead() {
        List<String> options = Relaunch.options();
        assertTrue(options.stream().anyMatch(option -> option.startsWith("-Xmx")), options.toString());
        assertTrue(options.stream().allMatch(option -> option.startsWith("-")), options.toString());
    }
}
