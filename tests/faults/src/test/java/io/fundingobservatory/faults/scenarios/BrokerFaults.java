package io.fundingobservatory.faults.scenarios;

import io.fundingobservatory.faults.invariants.ListSample;
import io.fundingobservatory.process.JavaProcess;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;

/** Faults of three brokers: killed and restarted, alone and together. */
public final class BrokerFaults {
    private BrokerFaults() {}

    /** The controller, or the leader of a partition that is written to. */
    public static void oneKilled(Installation on, Random random, Played played) throws Exception {
        Admin admin = on.kafka().admin();
        boolean controller = random.nextBoolean();
        int victim = controller
                ? admin.describeMetadataQuorum().quorumInfo().get().leaderId()
                : leaderOf(admin, "quotes.raw", random.nextInt(6));
        JavaProcess broker = on.kafka().brokers().get(victim - 1);
        long restored = on.restored(StreamsFaults.LEDGER);
        long since = System.nanoTime();
        broker.kill();
        String asset = on.correctSettlement();
        played.fired((controller ? "controller " : "leader ") + victim + " killed");
        played.awaitFlow(on, since);
        played.awaitPairs(on, asset, since, played.recoveryBound().plus(StreamsFaults.GATHERING));
        long again = on.restored(StreamsFaults.LEDGER) - restored;
        played.require(again == 0, again + " records of the ledger were restored");
        broker.restart();
        on.kafka().awaitAllInSync();
    }

    private static int leaderOf(Admin admin, String topic, int partition)
            throws InterruptedException, ExecutionException {
        var partitions = admin.describeTopics(List.of(topic))
                .allTopicNames()
                .get()
                .get(topic)
                .partitions();
        return partitions.get(partition).leader().id();
    }

    /** Two are away for a minute: nothing may be acknowledged, and the gateway serves its last list with its age. */
    public static void mostKilled(Installation on, Random random, Played played) throws Exception {
        List<JavaProcess> two = new ArrayList<>(on.kafka().brokers());
        Collections.shuffle(two, random);
        two.removeLast();
        two.forEach(JavaProcess::kill);
        // What was under way when they went may still be acknowledged.
        TimeUnit.SECONDS.sleep(1);
        int before = on.load().acknowledged().size();
        TimeUnit.SECONDS.sleep(59);
        int acknowledged = on.load().acknowledged().size() - before;
        played.require(acknowledged == 0, acknowledged + " quotes acknowledged by one broker of three");
        ListSample list = on.probe().last();
        long age = System.currentTimeMillis() - list.generatedAtMs();
        played.require(list.status() == 200, "the gateway returned " + list.status());
        played.fired("away, the last list is " + age / 1_000 + " s old");
        long since = System.nanoTime();
        two.forEach(JavaProcess::restart);
        played.awaitFlow(on, since);
        on.kafka().awaitAllInSync();
    }

    public static void allKilled(Installation on, Random random, Played played) throws Exception {
        long since = System.nanoTime();
        on.kafka().brokers().forEach(JavaProcess::kill);
        played.fired("all killed");
        TimeUnit.MILLISECONDS.sleep(random.nextInt(3_000));
        on.kafka().brokers().forEach(JavaProcess::restart);
        played.awaitFlow(on, since);
        on.kafka().awaitAllInSync();
    }

    /** One after the other, as for an upgrade. The table gives no time: half a minute each. */
    public static void restarted(Installation on, Random random, Played played) throws Exception {
        for (JavaProcess broker : on.kafka().brokers()) {
            long since = System.nanoTime();
            broker.terminate();
            played.fired(broker.name() + " ended");
            broker.restart();
            played.awaitFlow(on, since);
            on.kafka().awaitAllInSync();
        }
    }
}
