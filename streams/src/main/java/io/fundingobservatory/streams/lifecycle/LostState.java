package io.fundingobservatory.streams.lifecycle;

import io.fundingobservatory.runtime.AdminResponses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * State that an application had and that the brokers no longer have: its group has offsets, and a required changelog is missing. Kafka
 * Streams would create the changelog again, empty, and go on from the offsets.
 */
public final class LostState {
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private LostState() {}

    /** Returns the missing changelogs; empty where nothing is lost. */
    public static List<String> of(Admin admin, Application application)
            throws InterruptedException, ExecutionException {
        // Offsets first, topics after: another instance that starts creates its changelogs before it commits.
        if (admin.listConsumerGroupOffsets(application.id())
                .partitionsToOffsetAndMetadata()
                .get()
                .isEmpty()) {
            return List.of();
        }
        var missing = new ArrayList<String>();
        for (String changelog : application.requiredChangelogs()) {
            if (wouldBeCreated(admin, changelog)) {
                missing.add(changelog);
            }
        }
        return missing;
    }

    /**
     * Whether Kafka Streams would create the topic, by the controller's word; nothing is created. Brokers list topics by their own
     * metadata, and one that has just started lacks topics which the controller has. Only a role that may create nothing depends on
     * them. Waits for a controller without end, as Kafka's client does for brokers.
     */
    static boolean wouldBeCreated(Admin admin, String topic) throws InterruptedException, ExecutionException {
        while (true) {
            try {
                admin.createTopics(
                                List.of(new NewTopic(topic, Optional.empty(), Optional.empty())),
                                new CreateTopicsOptions().validateOnly(true))
                        .all()
                        .get();
                return true;
            } catch (ExecutionException e) {
                switch (e.getCause()) {
                    case TopicExistsException _ -> {
                        return false;
                    }
                    case AuthorizationException _ -> {
                        return AdminResponses.describe(admin, List.of(topic)).isEmpty();
                    }
                    case RetriableException _ -> Thread.sleep(AGAIN);
                    case ApiException _ -> {
                        return true;
                    }
                    case null, default -> throw e;
                }
            }
        }
    }
}
