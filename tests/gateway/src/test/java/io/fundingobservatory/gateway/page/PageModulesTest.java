package io.fundingobservatory.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.PageFiles;
import io.fundingobservatory.gateway.core.site.Routed;
import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.traffic.StandardLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    void pageTakesFewBytes() {
        var site = new Site(PageFiles.load(), 0, StandardLimits.STANDARD, () -> "");
        int bytes = 0;
        for (String path : List.of("/", "/page/page.js", "/page/page.css", "/page/icon.svg")) {
            SiteResponse response =
                    Routed.response(site, Routed.request("GET", path, List.of(), List.of("gzip"), 1), null);
            assertEquals(200, response.status(), path);
            bytes += Routed.pieces(response).stream()
                    .mapToInt(piece -> piece.length)
                    .sum();
        }
        assertTrue(bytes <= 50_000, bytes + " bytes in gzip");
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
