package io.fundingobservatory.faults.scenarios.brokers;

import io.fundingobservatory.faults.process.JavaProcess;
import io.fundingobservatory.faults.process.Prometheus;
import io.fundingobservatory.faults.process.Replicas;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/** One of three brokers gets SIGKILL: the controller, or the leader of a partition that is written to. */
public final class BrokerKilled implements Fault {
    private static final String LEDGER = "ledger";

    @Override
    public String id() {
        return "F6";
    }

    @Override
    public String what() {
        return "1 of 3 brokers SIGKILL";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(15);
    }

    @Override
    public Layout layout() {
        return Layout.THREE_BROKERS;
    }

    @Override
    public int repeats() {
        return 2;
    }

    @Override
    public void play(Installation on, Random random, Played played) throws Exception {
        Admin admin = on.kafka().admin();
        boolean controller = random.nextBoolean();
        int victim = controller
                ? admin.describeMetadataQuorum().quorumInfo().get().leaderId()
                : leaderOf(admin, "quotes.raw", random.nextInt(6));
        JavaProcess broker = on.kafka().brokers().get(victim - 1);
        long restored = Prometheus.restored(on.streams(), LEDGER);
        long since = System.nanoTime();
        broker.kill();
        String asset = on.correctSettlement();
        played.fired((controller ? "controller " : "leader ") + victim + " killed");
        played.awaitFlow(on, since);
        // Tables gather changes for ten seconds.
        played.awaitPairs(on, asset, since, recoveryBound().plusSeconds(12));
        long again = Prometheus.restored(on.streams(), LEDGER) - restored;
        played.require(again == 0, again + " records of the ledger were restored");
        broker.restart();
        Replicas.awaitAllInSync(on.kafka());
    }

    private static int leaderOf(Admin admin, String topic, int partition)
            throws InterruptedException, ExecutionException {
        return admin.describeTopics(List.of(topic))
                .allTopicNames()
                .get()
                .get(topic)
                .partitions()
                .get(partition)
                .leader()
                .id();
    }
}
