package io.fundingobservatory.standalone.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.ImportOrderer;
import com.palantir.javaformat.java.JavaFormatterOptions;
import com.palantir.javaformat.java.RemoveUnusedImports;
import io.fundingobservatory.testbed.Checkout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Every Java file is formatted. With {@code -Dquick} only files that differ from the last commit are judged. The formatter
 * understands only the syntax of the JDK on which it runs. Maven may run on an older JDK, so the formatter runs in a test.
 * {@code -Dformat=apply} rewrites the files.
 */
@Execution(ExecutionMode.CONCURRENT)
class FormattingTest {
    private static final Path ROOT = Checkout.ROOT;

    @Test
    void everyFileIsFormatted() throws IOException, InterruptedException, FormatterException {
        var formatter = Formatter.createFormatter(JavaFormatterOptions.builder()
                .style(JavaFormatterOptions.Style.PALANTIR)
                .formatJavadoc(false)
                .build());
        boolean apply = "apply".equals(System.getProperty("format"));
        var unformatted = new TreeSet<String>();
        List<Path> all = sources();
        assertTrue(all.size() > 50, "found the sources");
        for (Path file : System.getProperty("quick") == null ? all : changed(all)) {
            String source = Files.readString(file);
            String formatted = formatter.formatSource(RemoveUnusedImports.removeUnusedImports(
                    ImportOrderer.reorderImports(source, JavaFormatterOptions.Style.PALANTIR)));
            if (!formatted.equals(source)) {
                if (apply) {
                    Files.writeString(file, formatted);
                }
                unformatted.add(ROOT.relativize(file).toString());
            }
        }
        if (!apply) {
            assertEquals(
                    new TreeSet<String>(),
                    unformatted,
                    "format with: mvn -q -Dquick -DskipTests=false -pl tests/house -am test -Dtest=FormattingTest"
                            + " -Dsurefire.failIfNoSpecifiedTests=false -Dformat=apply");
        }
    }

    /** The Java files of all modules. */
    private static List<Path> sources() throws IOException {
        var sources = new ArrayList<Path>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .toList()) {
                try (Stream<Path> files = Files.walk(module)) {
                    files.filter(file -> file.toString().endsWith(".java"))
                            .filter(file -> !file.toString().contains("/target/"))
                            .forEach(sources::add);
                }
            }
        }
        return sources;
    }

    /** Those that differ from the last commit; all of them outside a checkout of git. */
    private static List<Path> changed(List<Path> all) throws IOException, InterruptedException {
        Process git = new ProcessBuilder("git", "ls-files", "--modified", "--others", "--exclude-standard", "*.java")
                .directory(ROOT.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Set<Path> named = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .map(ROOT::resolve)
                .collect(Collectors.toSet());
        return git.waitFor() == 0 ? all.stream().filter(named::contains).toList() : all;
    }
}
