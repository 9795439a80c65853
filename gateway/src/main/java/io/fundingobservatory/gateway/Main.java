package io.fundingobservatory.gateway;

import io.fundingobservatory.runtime.InnermostCause;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.Environment;
import io.micronaut.runtime.Micronaut;
import io.micronaut.runtime.exceptions.ApplicationStartupException;

/** Starts the gateway as a service of its own. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        try {
            run(args);
        } catch (ApplicationStartupException e) {
            // One readable line instead of a stack trace.
            System.err.println("gateway: " + InnermostCause.reason(e));
            System.exit(1);
        }
    }

    static ApplicationContext run(String... args) {
        return new Gateway().args(args).banner(false).mainClass(Main.class).start();
    }

    /** Leaves a failure at start to the caller; the framework would log its trace and end the process. */
    private static final class Gateway extends Micronaut {
        @Override
        protected void handleStartupException(Environment environment, Throwable failure) {
            throw new ApplicationStartupException("the gateway cannot start", failure);
        }
    }
}
