package io.fundingobservatory.ingest;

import io.micronaut.runtime.Micronaut;

/** Ingest as a process of its own. Its only port is the management one. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Micronaut.build(args).mainClass(Main.class).banner(false).start();
    }
}
