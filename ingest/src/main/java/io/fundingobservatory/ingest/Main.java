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
        // Not on the thread that failed, for which closing waits.
        context.getBean(IngestService.class)
                .failure()
                .thenAccept(line -> Thread.ofPlatform().name("ingest-exit").start(() -> System.exit(1)));
    }
}
