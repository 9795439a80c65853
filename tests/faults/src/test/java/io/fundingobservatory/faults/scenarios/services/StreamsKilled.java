package io.fundingobservatory.faults.scenarios.services;

import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/** Streams gets SIGKILL in the midst of a transaction, and is started again at once. */
public final class StreamsKilled implements Fault {
    @Override
    public String id() {
        return "F1";
    }

    @Override
    public String what() {
        return "streams SIGKILL mid-transaction";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(5);
    }

    @Override
    public int repeats() {
        return 5;
    }

    @Override
    public void play(Installation on, Random random, Played played) throws Exception {
        TimeUnit.MILLISECONDS.sleep(300 + random.nextInt(1_700));
        long since = System.nanoTime();
        on.streams().kill();
        played.fired("killed, " + (isInTransaction(on) ? "a transaction open" : "between two transactions"));
        on.streams().restart();
        played.awaitFlow(on, since);
    }

    /** Whether something is written on the output that no reader of committed records can see. */
    private static boolean isInTransaction(Installation on) throws InterruptedException, ExecutionException {
        var partitions = IntStream.range(0, 6)
                .mapToObj(i -> new TopicPartition("rates.normalised", i))
                .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        var admin = on.kafka().admin();
        var stable = admin.listOffsets(partitions, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .all()
                .get();
        var end = admin.listOffsets(partitions, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                .all()
                .get();
        return partitions.keySet().stream()
                .anyMatch(p -> stable.get(p).offset() < end.get(p).offset());
    }
}
