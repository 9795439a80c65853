package io.fundingobservatory.standalone;

import io.fundingobservatory.gateway.publishing.GatewayService;
import io.fundingobservatory.gateway.publishing.GatewayService.FirstSnapshot;
import io.fundingobservatory.gateway.publishing.GatewayService.StartingBroker;
import io.fundingobservatory.ingest.IngestService;
import io.fundingobservatory.ingest.IngestSettings;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.standalone.brokers.StreamsReset;
import io.fundingobservatory.standalone.exchanges.SourceOption;
import io.fundingobservatory.standalone.progress.Progress;
import io.fundingobservatory.standalone.progress.StartProgress;
import io.fundingobservatory.standalone.progress.StatusFollower;
import io.fundingobservatory.standalone.terminal.Stop;
import io.fundingobservatory.streams.StreamsService;
import io.fundingobservatory.testbed.broker.BrokerStartFailure;
import io.fundingobservatory.testbed.broker.EmbeddedKafka;
import io.fundingobservatory.testbed.sim.server.Realism;
import io.fundingobservatory.testbed.sim.server.SimulatedExchanges;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/** Broker, services and, where wanted, simulated exchanges, running in this process. Closing stops them in reverse order. */
final class Installation implements AutoCloseable {
    /** The ports that are listened on. */
    record Ports(Port http, Port management, Port kafka) {}

    private static final String LIMITS = "OBSERVATORY_INGEST_LIMITS";

    private final Deque<AutoCloseable> running = new ArrayDeque<>();
    private @Nullable SimulatedExchanges simulated;
    private @Nullable ApplicationContext services;

    private final Progress progress;

    private Installation(Progress progress) {
        this.progress = progress;
    }

    /**
     * Starts everything and returns while the first snapshot is still incomplete. Fails with one readable
     * line.
     *
     * @param settings settings of the services by name; they outrank the environment
     */
    static Installation start(
            SourceOption exchanges,
            DataDirectory data,
            Ports ports,
            MarketOptions.Market market,
            Progress progress,
            Map<String, Object> settings)
            throws InterruptedException {
        long startedMs = System.currentTimeMillis();
        var installation = new Installation(progress);
        installation.running.push(data);
        try {
            CompletableFuture<EmbeddedKafka> broker = installation.broker(data, ports);
            // A broker that recovers its logs waits for the disk. Meanwhile the services are made. They start when
            // the broker listens.
            installation.services(
                    new StartingBroker(broker), installation.source(exchanges, market), data, ports, settings);
            String bootstrapServers = await(broker).bootstrapServers();
            installation.context().getBean(EmbeddedServer.class).start();
            installation.follow(bootstrapServers, startedMs);
            return installation;
        } catch (BrokerStartFailure e) {
            installation.close();
            throw new Stop(e.reason());
        } catch (RuntimeException e) {
            installation.close();
            throw Stop.of(e);
        } catch (InterruptedException e) {
            installation.close();
            throw e;
        }
    }

    /** Starts the broker with its topics, in a thread of its own; closing waits for the start. */
    private CompletableFuture<EmbeddedKafka> broker(DataDirectory data, Ports ports) {
        progress.step("starting the broker on localhost:" + ports.kafka().number() + ", data in " + data);
        var broker = CompletableFuture.supplyAsync(
                () -> prepared(EmbeddedKafka.start(data.kafka(), ports.kafka().number())),
                start -> Thread.ofPlatform().name("broker-start").start(start));
        running.push(() -> broker.thenAccept(EmbeddedKafka::close)
                .exceptionally(alreadyReported -> null)
                .join());
        return broker;
    }

    /** With the catalogue's topics, and with the state of streams or a reset: no other instance runs here. */
    private EmbeddedKafka prepared(EmbeddedKafka broker) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            TopicCreation.ensure(admin, (short) 1, TopicCreation.Disk.SMALL);
            String lost = StreamsService.lostState(admin);
            if (lost != null) {
                try (var reset = new StreamsReset(KafkaAccess.at(broker.bootstrapServers()), progress::step)) {
                    progress.step("the state of streams is lost or of another format: it is computed again");
                    reset.removeMembers();
                    if (lost.equals("all")) {
                        reset.all();
                    } else {
                        reset.pairs();
                    }
                }
            }
            return broker;
        } catch (ExecutionException | InterruptedException e) {
            broker.close();
            throw new Stop("the broker does not take the topics: " + (e.getCause() == null ? e : e.getCause()));
        } catch (Stop e) {
            broker.close();
            throw e;
        }
    }

    private static EmbeddedKafka await(CompletableFuture<EmbeddedKafka> broker) throws InterruptedException {
        try {
            return broker.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e);
        }
    }

    private String source(SourceOption exchanges, MarketOptions.Market market) {
        return switch (exchanges) {
            case SourceOption.Replay(Path folder) -> "replay:" + folder;
            case SourceOption.Simulated() -> {
                simulated = SimulatedExchanges.start(market.seed(), InstantSource.system(), market.like(realism()));
                running.push(simulated);
                yield "simulated:" + simulated.baseUrl();
            }
            case SourceOption.Live() -> "live";
            case SourceOption.Auto() -> throw new IllegalArgumentException("auto is decided before anything starts");
        };
    }

    /** Where ingest is to keep to the published limits, the simulated exchanges enforce them. */
    private static Realism realism() {
        return "published".equals(System.getenv(LIMITS)) ? Realism.STRICT : Realism.LENIENT;
    }

    /** Makes the services. The gateway starts with the broker, the others with the server. */
    private void services(
            StartingBroker broker, String source, DataDirectory data, Ports ports, Map<String, Object> more) {
        progress.step("starting ingest, streams and gateway; exchanges: " + source);
        Map<String, Object> settings = new HashMap<>(more);
        settings.put("micronaut.server.port", ports.http().number());
        settings.put("observatory.management.port", ports.management().number());
        listeners(ports, settings);
        settings.put(
                "observatory.kafka.bootstrap-servers",
                "127.0.0.1:" + ports.kafka().number());
        settings.put("observatory.ingest.exchanges", source);
        if (simulated != null && System.getenv(LIMITS) == null) {
            // They enforce no limits then, and 30 days of history are there within minutes instead of hours.
            settings.put("observatory.ingest.limits", "none");
        }
        settings.put("observatory.streams.state-dir", data.streams().toString());
        // No other process could keep a copy; Kafka Streams would log that for each task.
        settings.put("observatory.streams.standby-replicas", 0);
        services = ApplicationContext.builder()
                .mainClass(Observatory.class)
                .banner(false)
                .deduceEnvironment(false)
                .properties(settings)
                .singletons(broker)
                .start();
        running.push(services);
    }

    /** The public port on every address, health and metrics on this machine alone: one host for the whole server would do neither. */
    private static void listeners(Ports ports, Map<String, Object> settings) {
        String listeners = "micronaut.server.netty.listeners.";
        settings.put(listeners + "public.port", ports.http().number());
        settings.put(listeners + "public.ssl", "${micronaut.server.ssl.enabled:false}");
        settings.put(listeners + "management.host", "127.0.0.1");
        settings.put(listeners + "management.port", ports.management().number());
        settings.put(listeners + "management.expose-default-routes", false);
        settings.put(listeners + "management.support-graceful-shutdown", false);
    }

    /** Tells how far each exchange has come, until all of them have been read back 30 days. */
    private void follow(String bootstrapServers, long startedMs) {
        List<String> polled = Registry.open(startedMs).stream()
                .map(venue -> venue.spec().id())
                .filter(context().getBean(IngestSettings.class)::wants)
                .toList();
        running.push(StatusFollower.start(
                KafkaAccess.at(bootstrapServers),
                new StartProgress(polled, startedMs, progress),
                InstantSource.system()));
    }

    private ApplicationContext context() {
        if (services == null) {
            throw new IllegalStateException("nothing is running");
        }
        return services;
    }

    /** The simulated exchanges, when there are any. */
    @Nullable
    SimulatedExchanges simulated() {
        return simulated;
    }

    /** Completes with the first complete snapshot. */
    CompletableFuture<FirstSnapshot> firstList() {
        return context().getBean(GatewayService.class).firstList();
    }

    /** Completes with the reason in one line when a service has given up for good; never while all work or when they are closed. */
    CompletionStage<String> failure() {
        var first = new CompletableFuture<String>();
        context()
                .getBean(IngestService.class)
                .failure()
                .thenAccept(line -> first.complete("ingest has failed: " + line));
        context()
                .getBean(StreamsService.class)
                .failure()
                .thenAccept(line -> first.complete("streams have failed: " + line));
        return first;
    }

    @Override
    public synchronized void close() {
        while (!running.isEmpty()) {
            try {
                running.pop().close();
            } catch (Exception e) {
                System.err.println("observatory: did not stop cleanly: " + e);
            }
        }
    }
}
