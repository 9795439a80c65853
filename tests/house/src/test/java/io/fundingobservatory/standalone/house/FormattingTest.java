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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Every Java file is formatted. The formatter understands only the syntax of the JDK on which it runs. Maven
 * may run on an older JDK, so the formatter runs in a test. {@code -Dformat=apply} rewrites the files.
 */
@Execution(ExecutionMode.CONCURRENT)
class FormattingTest {
    private static final Path ROOT = Checkout.ROOT;
    private static final List<String> MODULES =
            List.of("topics", "runtime", "testbed", "ingest", "streams", "gateway", "standalone", "tests");

    @Test
    void everyFileIsFormatted() throws IOException, FormatterException {
        var formatter = Formatter.createFormatter(JavaFormatterOptions.builder()
                .style(JavaFormatterOptions.Style.PALANTIR)
                .formatJavadoc(false)
                .build());
        boolean apply = "apply".equals(System.getProperty("format"));
        var unformatted = new TreeSet<String>();
        int files = 0;
        for (String module : MODULES) {
            for (Path file : javaFiles(ROOT.resolve(module))) {
                files++;
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
        }
        assertTrue(files > 50, "found the sources");
        if (!apply) {
            assertEquals(
                    new TreeSet<String>(),
                    unformatted,
                    "format with: mvn -q -Dquick -DskipTests=false -pl tests/house -am test -Dtest=FormattingTest"
                            + " -Dsurefire.failIfNoSpecifiedTests=false -Dformat=apply");
        }
    }

    private static List<Path> javaFiles(Path source) throws IOException {
        try (Stream<Path> paths = Files.walk(source)) {
            return paths.filter(
                            p -> p.toString().endsWith(".java") && !p.toString().contains("/target/"))
                    .sorted()
                    .toList();
        }
    }
}
