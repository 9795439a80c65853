package io.fundingobservatory.ingest;

import io.micronaut.runtime.Micronaut;
import io.micronaut.runtime.exceptions.ApplicationStartupException;
import java.net.BindException;

/** Ingest as a process of its own. Its only port is the management one. */
public final class Main {
    private Main() {}

    /** A failure at start is one readable line. */
    public static void main(String[] args) {
        try {
            Micronaut.build(args).mainClass(Main.class).banner(false).start();
        } catch (ApplicationStartupException e) {
            System.err.println("ingest: " + reason(e));
            System.exit(1);
        }
    }

    /** The innermost cause in one line. */
    static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        return cause instanceof BindException ? "a port is in use: " + message : message;
    }
}
