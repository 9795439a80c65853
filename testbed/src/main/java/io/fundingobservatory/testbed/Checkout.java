package io.fundingobservatory.testbed;

import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout in which a test runs, whichever module's directory it was started in. */
public final class Checkout {
    /** The nearest directory, from the working directory upwards, that holds {@code mvnw}. */
    public static final Path ROOT = root();

    private Checkout() {}

    private static Path root() {
        Path start = Path.of("").toAbsolutePath();
        for (Path at = start; at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("mvnw"))) {
                return at;
            }
        }
        throw new IllegalStateException("no checkout around " + start + ": start tests in a module's directory");
    }
}
