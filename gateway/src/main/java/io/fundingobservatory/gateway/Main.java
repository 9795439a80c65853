package io.fundingobservatory.gateway;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.Micronaut;
import io.micronaut.runtime.exceptions.ApplicationStartupException;
import java.net.BindException;

/** Starts the gateway as a service of its own. */
public final class Main {
    private Main() {}

    // one readable line instead of a stack trace, before there is a log to write to
    public static void main(String[] args) {
        try {
            run(args);
        } catch (ApplicationStartupException e) {
            System.err.println("gateway: " + reason(e));
            System.exit(1);
        }
    }

    static ApplicationContext run(String... args) {
        return Micronaut.build(args).banner(false).mainClass(Main.class).start();
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
