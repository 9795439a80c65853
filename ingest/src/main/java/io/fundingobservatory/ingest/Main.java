package io.fundingobservatory.ingest;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.Micronaut;

/** Ingest as a process of its own. Its only port is the management one. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        ApplicationContext context =
                Micronaut.build(args).mainClass(Main.class).banner(false).start();
        // A supervisor restarts a process that has ended; one that stays up and polls nothing is not noticed.
        context.getBean(IngestLifecycle.class).service().failure().thenAccept(line -> System.exit(1));
    }
}
