package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.core.site.Files;
import java.time.Instant;

/** The files that are served, for tests in other packages. */
public final class PageFiles {
    private PageFiles() {}

    public static Files load() {
        return Files.load("", Instant.EPOCH);
    }
}
