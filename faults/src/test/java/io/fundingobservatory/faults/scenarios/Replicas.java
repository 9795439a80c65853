package io.fundingobservatory.faults.scenarios;

import io.fundingobservatory.faults.process.BrokerCluster;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Waits until every copy of every partition is in sync again. */
final class Replicas {
    private Replicas() {}

    static void awaitAllInSync(BrokerCluster kafka) throws InterruptedException {
        kafka.awaitAll();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (System.nanoTime() < until) {
            try {
                var names = kafka.admin().listTopics().names().get();
                boolean all = kafka.admin().describeTopics(names).allTopicNames().get().values().stream()
                        .flatMap(topic -> topic.partitions().stream())
                        .allMatch(partition -> partition.leader() != null
                                && partition.isr().size() == partition.replicas().size());
                if (all) {
                    return;
                }
            } catch (ExecutionException e) {
                // a broker is not back yet
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        throw new IllegalStateException("not all copies in sync within 90 s");
    }
}
