package io.fundingobservatory.streams;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.Micronaut;

/** The streams service as a process of its own; its only port is the management port. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        ApplicationContext context =
                Micronaut.build(args).mainClass(Main.class).banner(false).start();
        // Whoever runs the process starts it again; one that lives but does no work is worse than none.
        context.getBean(StreamsService.class).failure().thenAccept(line -> System.exit(1));
    }
}
