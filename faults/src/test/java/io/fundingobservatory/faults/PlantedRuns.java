package io.fundingobservatory.faults;

import io.fundingobservatory.faults.invariants.Invariant;
import io.fundingobservatory.faults.planted.Agent;
import io.fundingobservatory.faults.planted.ServiceBugs;
import io.fundingobservatory.faults.process.Await;
import io.fundingobservatory.faults.process.JavaProcess;
import io.fundingobservatory.faults.process.Replicas;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import io.fundingobservatory.faults.scenarios.services.StreamsKilled;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Bugs that only running services can show, each planted in a run with the fault that brings it out: the named invariant must break. */
public final class PlantedRuns {
    private final Path folder;

    public PlantedRuns(Path folder) {
        this.folder = folder;
    }

    /** Plays all; whether each one was found. */
    public boolean play() throws Exception {
        boolean all = true;
        all &= found("at_least_once with a kill", "ExactlyOnce", this::atLeastOnce);
        all &= found("acks=1 with the leader lost", "NothingLost", this::acknowledgedByOne);
        all &= found("read_uncommitted with an aborted row", "NoPartialList", this::readsUncommitted);
        return all;
    }

    private interface Run {
        List<Invariant> play(Path own) throws Exception;
    }

    private boolean found(String bug, String invariant, Run run) throws Exception {
        Path own = Files.createDirectories(folder.resolve("planted-" + System.nanoTime()));
        List<String> broken = new ArrayList<>();
        for (Invariant each : run.play(own)) {
            if (!each.violations().isEmpty()) {
                broken.add(each.name());
            }
        }
        boolean found = broken.contains(invariant);
        System.out.println((found ? "found      " : "NOT FOUND  ") + bug + ": " + broken + " broken");
        return found;
    }

    private static UnaryOperator<JavaProcess.Spec> with(Path own, ServiceBugs bug) throws Exception {
        Path agent = Agent.jar(own);
        return spec -> spec.with("-javaagent:" + agent + "=bug:" + bug.name());
    }

    private List<Invariant> atLeastOnce(Path own) throws Exception {
        var plan = new Installation.Plan(
                1, 600, Map.of(), with(own, ServiceBugs.AT_LEAST_ONCE), UnaryOperator.identity(), Map.of());
        try (var on = new Installation(own, 1, plan)) {
            requirePlanted(on.streams());
            var played = new Played(Duration.ofMinutes(1), 1);
            for (int i = 0; i < 5; i++) {
                new StreamsKilled().play(on, new Random(i), played);
            }
            on.settle();
            return on.invariants();
        }
    }

    /** Two followers stand still, the leader acknowledges alone and dies, and they go on without what it had. */
    private List<Invariant> acknowledgedByOne(Path own) throws Exception {
        Map<String, Object> careless = Map.of("acks", "1", "enable.idempotence", false);
        var plan =
                new Installation.Plan(3, 600, Map.of(), UnaryOperator.identity(), UnaryOperator.identity(), careless);
        try (var on = new Installation(own, 1, plan)) {
            List<JavaProcess> followers = on.kafka().brokers().subList(1, 3);
            followers.forEach(JavaProcess::stop);
            int before = on.load().acknowledged().size();
            Await.until(Duration.ofSeconds(20), () -> on.load().acknowledged().size() >= before + 100);
            System.out.println(on.load().acknowledged().size() - before + " quotes acknowledged by one broker");
            on.kafka().brokers().getFirst().kill();
            followers.forEach(JavaProcess::resume);
            on.awaitFlow(Duration.ofSeconds(60));
            on.kafka().brokers().getFirst().restart();
            Replicas.awaitAllInSync(on.kafka());
            on.awaitFlow(Duration.ofSeconds(60));
            on.settle();
            return on.invariants();
        }
    }

    /** Rows are removed in a transaction that is never committed: a reader of uncommitted records loses them. */
    private List<Invariant> readsUncommitted(Path own) throws Exception {
        var plan = new Installation.Plan(
                1, 600, Map.of(), UnaryOperator.identity(), with(own, ServiceBugs.READS_UNCOMMITTED), Map.of());
        try (var on = new Installation(own, 1, plan);
                var producer = new KafkaProducer<>(
                        Map.<String, Object>of("bootstrap.servers", on.kafka().direct(), "transactional.id", "aborts"),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            requirePlanted(on.gateway());
            on.load().pause();
            producer.initTransactions();
            producer.beginTransaction();
            for (var contract : on.contracts().all()) {
                producer.send(new ProducerRecord<>(
                        "rates.latest", contract.key().getBytes(java.nio.charset.StandardCharsets.UTF_8), null));
            }
            producer.flush();
            TimeUnit.SECONDS.sleep(3);
            producer.abortTransaction();
            on.load().go();
            on.settle();
            return on.invariants();
        }
    }

    private static void requirePlanted(JavaProcess process) {
        if (!process.hasLogged("planted ") || process.hasLogged("not planted")) {
            throw new IllegalStateException("nothing was planted in " + process.name());
        }
    }
}
