package io.fundingobservatory.faults.scenarios;

import io.fundingobservatory.faults.process.Await;
import io.fundingobservatory.faults.process.BrokerCluster;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/** Waits until every copy of every partition is in sync again. */
final class Replicas {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private Replicas() {}

    static void awaitAllInSync(BrokerCluster kafka) throws InterruptedException {
        kafka.awaitAll();
        if (!Await.until(PATIENCE, () -> areAllInSync(kafka.admin()))) {
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
