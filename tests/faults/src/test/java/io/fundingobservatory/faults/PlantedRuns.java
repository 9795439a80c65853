package io.fundingobservatory.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.faults.invariants.Invariant;
import io.fundingobservatory.faults.network.Link;
import io.fundingobservatory.faults.network.Link.Way;
import io.fundingobservatory.faults.planted.Agent;
import io.fundingobservatory.faults.planted.Bug;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.process.JavaProcess;
import io.fundingobservatory.testbed.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Bugs that only running services can show, each planted in a run with the fault that brings it out: the named invariant must break. */
public final class PlantedRuns {
    /** In quotes, at 600 a second: more than twice as long as streams gathers what it commits. */
    private static final int HALF_A_SECOND = 300;

    private final Path folder;

    public PlantedRuns(Path folder) {
        this.folder = folder;
    }

    /** Plays all; whether each one was found. */
    public boolean play() throws Exception {
        boolean all = true;
        all &= found("at_least_once with kills", "ExactlyOnce", own -> killsBetweenWrites(own, Bug.AT_LEAST_ONCE));
        all &= found("acks=1 with the leader lost", "NothingLost", this::acknowledgedByOne);
        all &= found(
                "read_uncommitted with removals under way",
                "NoPartialList",
                own -> uncommittedRemovals(own, Bug.READS_UNCOMMITTED));
        all &= held("the same kills", own -> killsBetweenWrites(own, null));
        all &= held("the same removals", own -> uncommittedRemovals(own, null));
        return all;
    }

    private interface Run {
        List<Invariant> play(Path own) throws Exception;
    }

    private boolean found(String bug, String invariant, Run run) throws Exception {
        List<String> broken = broken(run);
        boolean found = broken.contains(invariant);
        System.out.println((found ? "found      " : "NOT FOUND  ") + bug + ": " + broken + " broken");
        return found;
    }

    /** Without a bug, nothing may be broken: what was found was the bug, and not the fault. */
    private boolean held(String fault, Run run) throws Exception {
        List<String> broken = broken(run);
        System.out.println(
                (broken.isEmpty() ? "held       " : "BROKEN     ") + fault + " without a bug: " + broken + " broken");
        return broken.isEmpty();
    }

    private List<String> broken(Run run) throws Exception {
        Path own = Files.createDirectories(folder.resolve("planted-" + System.nanoTime()));
        return run.play(own).stream()
                .filter(each -> !each.violations().get().isEmpty())
                .map(Invariant::name)
                .toList();
    }

    private static UnaryOperator<JavaProcess.Spec> with(Path own, @Nullable Bug bug) throws Exception {
        if (bug == null) {
            return UnaryOperator.identity();
        }
        Path agent = Agent.jar(own);
        return spec -> spec.with("-javaagent:" + agent + "=bug:" + bug.name());
    }

    /**
     * Cuts each broker in turn off from the others and kills streams. Rows are then written without their
     * changelog records, or the other way round. On one broker both are in one request, and a kill alone
     * hardly ever separates them.
     */
    private List<Invariant> killsBetweenWrites(Path own, @Nullable Bug bug) throws Exception {
        var plan = Installation.Plan.of(3).streams(with(own, bug));
        try (var on = new Installation(own, 1, plan)) {
            requirePlanted(on.streams(), bug);
            for (Link link : on.kafka().links(Installation.STREAMS)) {
                link.silenced(Way.TO_SERVER);
                awaitQuotes(on, HALF_A_SECOND);
                on.streams().kill();
                link.cut();
                link.heal();
                on.streams().restart();
                on.awaitFlow(Duration.ofSeconds(60));
            }
            on.settle();
            return on.invariants();
        }
    }

    private static void awaitQuotes(Installation on, int more) throws InterruptedException {
        int before = on.load().acknowledged().size();
        if (!Await.within(Duration.ofSeconds(20), () -> on.load().acknowledged().size() >= before + more)) {
            throw new IllegalStateException("fewer than " + more + " quotes acknowledged within 20 s");
        }
    }

    /** Two followers stand still, the leader acknowledges alone and dies, and they go on without what it had. */
    private List<Invariant> acknowledgedByOne(Path own) throws Exception {
        var plan = Installation.Plan.of(3).producer(Map.of("acks", "1", "enable.idempotence", false));
        try (var on = new Installation(own, 1, plan)) {
            List<JavaProcess> followers = on.kafka().brokers().subList(1, 3);
            followers.forEach(JavaProcess::stop);
            awaitQuotes(on, 100);
            on.kafka().brokers().getFirst().kill();
            followers.forEach(JavaProcess::resume);
            on.awaitFlow(Duration.ofSeconds(60));
            on.kafka().brokers().getFirst().restart();
            on.kafka().awaitAllInSync();
            on.awaitFlow(Duration.ofSeconds(60));
            on.settle();
            return on.invariants();
        }
    }

    /**
     * Every second row is removed in a transaction that is never committed: a reader of uncommitted records loses them. Without any row the
     * gateway would serve its last list on.
     */
    private List<Invariant> uncommittedRemovals(Path own, @Nullable Bug bug) throws Exception {
        var plan = Installation.Plan.of(1).gateway(with(own, bug));
        try (var on = new Installation(own, 1, plan);
                var producer = new KafkaProducer<>(
                        Map.<String, Object>of("bootstrap.servers", on.kafka().direct(), "transactional.id", "aborts"),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            requirePlanted(on.gateway(), bug);
            on.load().pause();
            producer.initTransactions();
            producer.beginTransaction();
            for (int i = 0; i < on.contracts().all().size(); i += 2) {
                producer.send(new ProducerRecord<>(
                        "rates.latest", on.contracts().all().get(i).key().getBytes(UTF_8), null));
            }
            producer.flush();
            // a few snapshots: without read-committed they would show what is not committed
            Await.within(
                    Duration.ofSeconds(10),
                    () -> on.listInvariants().stream()
                            .anyMatch(each -> !each.violations().get().isEmpty()));
            producer.abortTransaction();
            on.load().go();
            on.settle();
            return on.invariants();
        }
    }

    private static void requirePlanted(JavaProcess process, @Nullable Bug bug) {
        if (bug == null) {
            return;
        }
        if (!process.hasLogged("planted ") || process.hasLogged("not planted")) {
            throw new IllegalStateException("nothing was planted in " + process.name());
        }
    }
}
