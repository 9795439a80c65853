package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page names every module that it needs, so that a browser requests all of them at once. */
class PageModulesTest {
    private static final Pattern IMPORT = Pattern.compile("from '\\./([a-z-]+\\.js)'");
    private static final Pattern PRELOAD = Pattern.compile("<link rel=\"modulepreload\" href=\"/page/([^\"]+)\">");

    private static String file(String name) throws IOException {
        try (InputStream in = PageModulesTest.class.getResourceAsStream("/served/page/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void reach(String module, SortedSet<String> reached) throws IOException {
        for (String next : IMPORT.matcher(file(module))
                .results()
                .map(found -> found.group(1))
                .toList()) {
            if (reached.add(next)) {
                reach(next, reached);
            }
        }
    }

    @Test
    void preloadsEveryModuleThatItImports() throws IOException {
        var reached = new TreeSet<String>();
        reach("main.js", reached);
        SortedSet<String> preloaded = PRELOAD.matcher(file("index.html"))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(reached, preloaded);
    }
}
