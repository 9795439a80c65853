package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page's source: modules that the build bundles into one script. */
class PageModulesTest {
    private static final Pattern IMPORT = Pattern.compile("from '\\./([a-z-]+\\.js)'");

    private static SortedSet<Path> modules() throws IOException {
        try (Stream<Path> files = Files.list(PageServer.SOURCE)) {
            return files.filter(file -> file.toString().endsWith(".js")).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static void reach(Path module, SortedSet<Path> reached) throws IOException {
        if (reached.add(module)) {
            for (var found : IMPORT.matcher(Files.readString(module)).results().toList()) {
                reach(PageServer.SOURCE.resolve(found.group(1)), reached);
            }
        }
    }

    @Test
    void scriptHoldsEveryModule() throws IOException {
        var reached = new TreeSet<Path>();
        reach(PageServer.SOURCE.resolve("main.js"), reached);
        assertEquals(modules(), reached);
    }

    @Test
    void scriptsStayShort() throws IOException {
        int lines = 0;
        for (Path module : modules()) {
            lines += Files.readAllLines(module).size();
        }
        assertTrue(lines < 2_800, lines + " lines");
    }
}
