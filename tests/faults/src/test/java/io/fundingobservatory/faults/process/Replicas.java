package io.fundingobservatory.faults.process;

import io.fundingobservatory.testbed.Await;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/** Waits until every copy of every partition is in sync again. */
public final class Replicas {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private Replicas() {}

    /** Returns once they are; an {@link IllegalStateException} when that takes longer than 90 s. */
    public static void awaitAllInSync(BrokerCluster kafka) throws InterruptedException {
        kafka.awaitAll();
        if (!Await.within(PATIENCE, () -> areAllInSync(kafka.admin()))) {
            throw new IllegalStateException("not all copies in sync within " + PATIENCE);
        }
    }

    private static boolean areAllInSync(Admin admin) throws InterruptedException {
        try {
            return admin.describeTopics(admin.listTopics().names().get()).allTopicNames().get().values().stream()
                    .flatMap(topic -> topic.partitions().stream())
                    .allMatch(partition -> partition.leader() != null
                            && partition.isr().size() == partition.replicas().size());
        } catch (ExecutionException e) {
            return false; // a broker is not back yet
        }
    }
}
