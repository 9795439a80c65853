package io.fundingobservatory.standalone.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.Checkout;
import io.fundingobservatory.topics.access.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** The compose files as YAML: what every container has, and that related files name the same containers. */
class ComposeTest {
    private static final String CLUSTER = "deploy/compose.cluster.yaml";
    private static final String TLS = "deploy/compose.tls.yaml";
    private static final String SECURED = "deploy/compose.secured.yaml";
    private static final Set<String> RUN_ONCE = Set.of("topics", "access");

    private static Map<String, Object> file(String name) throws IOException {
        return Values.map(new Yaml().load(Files.readString(Checkout.ROOT.resolve(name))));
    }

    private static Map<String, Object> services(String name) throws IOException {
        return Values.map(file(name).get("services"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"compose.yaml", CLUSTER})
    void everyContainerIsBoundedConfinedAndRestarted(String name) throws IOException {
        services(name).forEach((service, container) -> {
            assertNotNull(Values.at(container, "mem_limit"), service);
            assertNotNull(Values.at(container, "logging.options.max-size"), service);
            assertNotNull(Values.at(container, "logging.options.max-file"), service);
            assertEquals(RUN_ONCE.contains(service) ? "on-failure" : "unless-stopped", Values.at(container, "restart"));
            assertEquals(!RUN_ONCE.contains(service), Values.at(container, "healthcheck.test") != null, service);
            Object image = Values.at(container, "image");
            assertTrue(
                    image == null && Values.at(container, "build") != null
                            || String.valueOf(image)
                                    .matches(
                                            ".+:(v?\\d+\\.\\d+\\.\\d+(-alpine)?|\\$\\{OBSERVATORY_RELEASE:-1\\.0\\.0})"),
                    service + " has no version: " + image);
            // The broker's image writes its configuration beside its programs.
            if (!String.valueOf(image).startsWith("apache/kafka")) {
                assertEquals(true, Values.at(container, "read_only"), service);
                assertEquals(List.of("ALL"), Values.at(container, "cap_drop"), service);
                assertEquals(List.of("no-new-privileges:true"), Values.at(container, "security_opt"), service);
            }
        });
    }

    @Test
    void theClusterHasTwoOrThreeOfEverything() throws IOException {
        Set<String> names = services(CLUSTER).keySet();
        String all = "kafka-1 kafka-2 kafka-3 ingest-1 ingest-2 streams-1 streams-2 gateway-1 gateway-2"
                + " nginx prometheus grafana";
        assertTrue(names.containsAll(List.of(all.split(" "))), names.toString());
        Set<Object> ids = Set.of("streams-1", "streams-2").stream()
                .map(name -> at(name, "environment.OBSERVATORY_STREAMS_INSTANCE_ID"))
                .collect(Collectors.toSet());
        assertEquals(Set.of("streams-1", "streams-2"), ids);
        assertEquals("3", at("kafka-1", "environment.KAFKA_DEFAULT_REPLICATION_FACTOR"));
        assertEquals("2", at("kafka-1", "environment.KAFKA_MIN_INSYNC_REPLICAS"));
        assertEquals("false", at("kafka-1", "environment.KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE"));
    }

    private static Object at(String service, String path) {
        try {
            Object value = Values.at(services(CLUSTER).get(service), path);
            assertNotNull(value, service + " " + path);
            return value;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void nginxAndPrometheusSpeakOfTheSameContainers() throws IOException {
        Set<String> names = services(CLUSTER).keySet();
        var upstreams = Pattern.compile("server (\\S+):8080 ")
                .matcher(Files.readString(Checkout.ROOT.resolve("deploy/nginx/cluster/http.conf")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(
                names.stream()
                        .filter(name -> name.startsWith("gateway-"))
                        .collect(Collectors.toCollection(TreeSet::new)),
                upstreams);
        var scraped = new TreeSet<String>();
        for (Object job : Values.list(file("deploy/prometheus/prometheus.yaml").get("scrape_configs"))) {
            for (Object target : Values.list(Values.at(job, "static_configs.0.targets"))) {
                scraped.add(String.valueOf(target));
                assertTrue(
                        String.valueOf(target).startsWith(Values.at(job, "job_name") + "-"),
                        target + " in another job");
            }
        }
        assertEquals(
                names.stream()
                        .filter(name -> name.matches("(ingest|streams|gateway)-\\d"))
                        .map(name -> name + ":8081")
                        .collect(Collectors.toCollection(TreeSet::new)),
                scraped);
        assertEquals(
                Values.at(file(CLUSTER), "networks.default.ipam.config.0.subnet"),
                at("gateway-1", "environment.OBSERVATORY_GATEWAY_TRAFFIC_TRUSTED_PROXIES"),
                "nginx is in the network whose forwarding header counts");
    }

    /** A JVM refuses an archive that was made of a class path of another name, and starts without it. */
    @Test
    void archiveUsesClassPathOfImageStart() throws IOException {
        List<String> dockerfile = Files.readAllLines(Checkout.ROOT.resolve("Dockerfile"));
        String entryPoint = dockerfile.stream()
                .filter(line -> line.startsWith("ENTRYPOINT"))
                .findFirst()
                .orElseThrow();
        var jar = Pattern.compile("\"-jar\", \"([^\"]+)\"").matcher(entryPoint);
        assertTrue(jar.find(), entryPoint);
        String training = dockerfile.stream()
                .filter(line -> line.contains("./train"))
                .findFirst()
                .orElseThrow();
        assertTrue(training.contains(" " + jar.group(1) + " "), "not trained with " + jar.group(1));
        assertTrue(dockerfile.contains("ARG TRAIN=no"), "training is for those who want it");
    }

    @Test
    void readmeNamesExchangesOfTheImage() throws IOException {
        List<String> dockerfile = Files.readAllLines(Checkout.ROOT.resolve("Dockerfile"));
        assertEquals(
                "CMD [\"run\", \"--exchanges\", \"simulated\", \"--data\", \"/var/lib/observatory\"]",
                dockerfile.getLast());
        String readme = Files.readString(Checkout.ROOT.resolve("README.md"));
        assertTrue(readme.contains("This command always uses simulated exchanges."), "of the Docker command");
        assertTrue(readme.contains("`run --data /var/lib/observatory`"), "for live ones");
    }

    @Test
    void simulatedExchangesNeedNoNetwork() throws IOException {
        for (String name : List.of("compose.yaml", CLUSTER)) {
            Object exchanges = services(name).get("exchanges");
            assertEquals(List.of("simulated"), Values.at(exchanges, "profiles"), name);
            String ingest = name.equals(CLUSTER) ? "ingest-1" : "ingest";
            assertEquals(
                    "${OBSERVATORY_EXCHANGES:-live}",
                    Values.at(services(name).get(ingest), "environment.OBSERVATORY_INGEST_EXCHANGES"),
                    name);
        }
        Map<String, Object> settings =
                Values.map(Values.at(services("compose.yaml").get("ingest"), "environment"));
        assertTrue(settings.containsKey("OBSERVATORY_INGEST_VENUES"), "taken from the environment");
    }

    @Test
    void nginxFollowsContainersToNewAddresses() throws IOException {
        String configuration = Files.readString(Checkout.ROOT.resolve("deploy/nginx/cluster/http.conf"));
        assertTrue(configuration.contains("resolver 127.0.0.11"), configuration);
        List<String> upstreams = configuration
                .lines()
                .filter(line -> line.strip().startsWith("server gateway-"))
                .toList();
        assertEquals(2, upstreams.size());
        assertTrue(upstreams.stream().allMatch(line -> line.contains(" resolve ")), upstreams.toString());
    }

    @Test
    void whatIsMountedIsThere() throws IOException {
        int mounted = 0;
        for (String file : List.of(CLUSTER, TLS)) {
            for (Object container : services(file).values()) {
                Object volumes = Values.at(container, "volumes");
                for (Object volume : volumes == null ? List.of() : Values.list(volumes)) {
                    String path = String.valueOf(volume).split(":")[0];
                    if (path.startsWith("./")) {
                        mounted++;
                        assertTrue(Files.exists(Checkout.ROOT.resolve("deploy").resolve(path)), path);
                    }
                }
            }
        }
        assertTrue(mounted >= 8, mounted + " files");
    }

    /** nginx includes these paths, and a certificate's names are those of a secret of Kubernetes. */
    @Test
    void nginxHasEveryFileThatItIncludes() throws IOException {
        String shared = Files.readString(Checkout.ROOT.resolve("deploy/nginx/gateway.conf"));
        assertTrue(shared.contains("include site/http.conf;") && shared.contains("include site/server*.conf;"), shared);
        String mounts = Values.at(services(CLUSTER).get("nginx"), "volumes") + " "
                + Values.at(services(TLS).get("nginx"), "volumes");
        for (String path :
                List.of("conf.d/default.conf", "site/http.conf", "site/server.conf", "site/server-tls.conf", "tls")) {
            assertTrue(mounts.contains(":/etc/nginx/" + path + ":ro"), path + " in " + mounts);
        }
    }

    @Test
    void securedOverlayHasAllUsersNoPlainListener() throws IOException {
        Map<String, Object> overlay = services(SECURED);
        Set<String> known = new TreeSet<>(services(CLUSTER).keySet());
        known.add("access");
        assertTrue(known.containsAll(overlay.keySet()), overlay.keySet().toString());
        for (String broker : List.of("kafka-1", "kafka-2", "kafka-3")) {
            Map<String, Object> environment = Values.map(Values.at(overlay.get(broker), "environment"));
            assertEquals(
                    "INSIDE:SSL,CLIENTS:SASL_SSL,CONTROLLER:SSL",
                    environment.get("KAFKA_LISTENER_SECURITY_PROTOCOL_MAP"));
            for (String listener : List.of("INSIDE", "CONTROLLER")) {
                assertEquals("required", environment.get("KAFKA_LISTENER_NAME_" + listener + "_SSL_CLIENT_AUTH"));
            }
            assertEquals("false", environment.get("KAFKA_ALLOW_EVERYONE_IF_NO_ACL_FOUND"));
        }
        for (Role role : List.of(Role.INGEST, Role.STREAMS, Role.GATEWAY)) {
            for (int i = 1; i <= 2; i++) {
                Object container = overlay.get(role.word() + "-" + i);
                assertEquals(
                        "SASL_SSL", Values.at(container, "environment.OBSERVATORY_KAFKA_CLIENT_SECURITY_PROTOCOL"));
                String login =
                        String.valueOf(Values.at(container, "environment.OBSERVATORY_KAFKA_CLIENT_SASL_JAAS_CONFIG"));
                assertTrue(login.contains("username=\"" + role.word() + "\""), login);
            }
        }
    }

    /** Compose fills in every variable of the files before any of its commands. */
    @Test
    void reloadOfCertificatesHasPasswords(@TempDir Path dir) throws Exception {
        Path compose = Files.writeString(dir.resolve("compose"), "#!/bin/sh\nprintf '%s\\n' \"$*\"\n");
        assertTrue(compose.toFile().setExecutable(true));
        var reload = new ProcessBuilder(
                "bash",
                Checkout.ROOT.resolve("deploy/kafka/certificates.sh").toString(),
                dir.resolve("tls").toString(),
                "reload");
        reload.environment().put("COMPOSE", compose.toString());
        Process process = reload.redirectErrorStream(true).start();
        List<String> lines = process.inputReader().readAllLines();
        assertEquals(0, process.waitFor(), lines::toString);
        assertEquals(3, lines.size(), lines::toString);
        String passwords = "--env-file " + dir.resolve("tls/passwords.env") + " ";
        assertTrue(lines.stream().allMatch(line -> line.startsWith(passwords)), lines::toString);
    }
}
