package io.fundingobservatory.streams.client;

import io.fundingobservatory.runtime.AdminResponses;
import io.fundingobservatory.streams.core.Application;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/**
 * State that an application had and that the brokers no longer have: its group has offsets, and a required changelog is missing. Kafka
 * Streams would create the changelog again, empty, and go on from the offsets.
 */
public final class LostState {
    /** A broker that has just started lists a topic later than the others. */
    private static final Duration SECOND_LOOK_AFTER = Duration.ofSeconds(5);

    private LostState() {}

    /** Returns the missing changelogs; empty where nothing is lost. Whatever is missing is looked for twice. */
    public static List<String> of(Admin admin, Application application)
            throws InterruptedException, ExecutionException {
        if (look(admin, application).isEmpty()) {
            return List.of();
        }
        Thread.sleep(SECOND_LOOK_AFTER);
        return look(admin, application);
    }

    /** Offsets first, topics after: another instance that starts creates its changelogs before it commits. */
    private static List<String> look(Admin admin, Application application)
            throws InterruptedException, ExecutionException {
        if (admin.listConsumerGroupOffsets(application.id())
                .partitionsToOffsetAndMetadata()
                .get()
                .isEmpty()) {
            return List.of();
        }
        var missing = new ArrayList<>(application.requiredChangelogs());
        missing.removeAll(AdminResponses.describe(admin, missing).keySet());
        return missing;
    }
}
