package io.fundingobservatory.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ports of two processes. */
class FreePortTest {
    /** Random ones of two processes would meet twelve times on average. */
    private static final int MANY = 500;

    /** Another process: it prints its ports, and ends when its input does. */
    static final class Other {
        private Other() {}

        public static void main(String[] args) throws IOException {
            many().forEach(System.out::println);
            System.out.println("given");
            int end = System.in.read();
            assert end < 0;
        }
    }

    private static Set<Integer> many() {
        return IntStream.range(0, MANY).mapToObj(i -> FreePort.next()).collect(Collectors.toSet());
    }

    @Test
    void twoProcessesGetDifferentPorts() throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Other.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var lines = other.inputReader()) {
            var others = new HashSet<Integer>();
            for (String line = lines.readLine(); line != null && !line.equals("given"); line = lines.readLine()) {
                others.add(Integer.parseInt(line));
            }
            assertEquals(MANY, others.size());
            Set<Integer> own = many();
            assertEquals(MANY, own.size());
            assertTrue(other.isAlive());
            assertFalse(own.removeAll(others), "given to both");
        } finally {
            other.destroyForcibly();
        }
    }
}
