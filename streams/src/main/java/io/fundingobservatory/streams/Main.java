package io.fundingobservatory.streams;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.Micronaut;

/** The streams service as a process of its own; its only port is the management port. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        ApplicationContext context =
                Micronaut.build(args).mainClass(Main.class).banner(false).start();
        // Exit status 1: systemd, Docker or Kubernetes starts the process again.
        // Not on the thread that failed, for which closing waits.
        context.getBean(StreamsService.class)
                .failure()
                .thenAccept(line -> Thread.ofPlatform().name("streams-exit").start(() -> System.exit(1)));
    }
}
