package io.fundingobservatory.standalone.roles;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.standalone.Ran;
import io.fundingobservatory.testbed.broker.SecuredKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A broker with TLS, SCRAM and an authorizer, set up by the operator's own commands. It has the topics of the
 * catalogue, and for each role a user with a password and ACLs.
 */
final class SecuredInstallation implements AutoCloseable {
    static final List<String> ROLES = List.of("ingest", "streams", "gateway", "team");

    private final SecuredKafka kafka;
    private final Path adminConfig;

    private SecuredInstallation(SecuredKafka kafka, Path adminConfig) {
        this.kafka = kafka;
        this.adminConfig = adminConfig;
    }

    /** Starts the broker on a free port and sets it up. */
    static SecuredInstallation start(Path dir) throws IOException, InterruptedException {
        SecuredKafka kafka = SecuredKafka.start(dir, password(SecuredKafka.ADMIN));
        Path adminConfig = dir.resolve("admin.properties");
        var admin = new Properties();
        admin.putAll(kafka.clientOf(SecuredKafka.ADMIN, password(SecuredKafka.ADMIN)));
        try (var out = Files.newBufferedWriter(adminConfig)) {
            admin.store(out, null);
        }
        Path passwords = Files.write(
                dir.resolve("passwords.properties"),
                ROLES.stream().map(role -> role + "=" + password(role)).toList());
        var installation = new SecuredInstallation(kafka, adminConfig);
        installation.observatory("topics", "--create");
        installation.observatory("access", "--apply", "--passwords", passwords.toString());
        return installation;
    }

    static String password(String user) {
        return "of-" + user;
    }

    /** The certificate of the authority that the broker's is signed by, in a file. */
    Path authority(Path file) throws IOException {
        return Files.writeString(file, kafka.clientOf(SecuredKafka.ADMIN, "").get("ssl.truststore.certificates"));
    }

    /** Runs a command of the operator as the brokers' administrator, and gives what it says. */
    String observatory(String... command) {
        String[] brokers = {"--bootstrap-server", kafka.bootstrapServers(), "--command-config", adminConfig.toString()};
        Ran ran = Ran.observatory(
                Stream.concat(Arrays.stream(command), Arrays.stream(brokers)).toArray(String[]::new));
        assertEquals(0, ran.exit(), ran.err());
        return ran.out();
    }

    /** Where clients connect: {@code host:port}. */
    String bootstrapServers() {
        return kafka.bootstrapServers();
    }

    /** What a Kafka client has to be told to be that user. */
    Map<String, Object> client(String user) {
        return client(user, password(user));
    }

    Map<String, Object> client(String user, String password) {
        var config = new HashMap<String, Object>(kafka.clientOf(user, password));
        config.put("bootstrap.servers", kafka.bootstrapServers());
        config.put("request.timeout.ms", 20_000);
        config.put("default.api.timeout.ms", 20_000);
        return config;
    }

    Admin admin(String user) {
        return Admin.create(client(user));
    }

    /** The same for a service of that role: variables of its environment. */
    Map<String, String> environment(String role) {
        var environment = new HashMap<String, String>();
        environment.put("OBSERVATORY_KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers());
        kafka.clientOf(role, password(role))
                .forEach((key, value) -> environment.put(
                        "OBSERVATORY_KAFKA_CLIENT_" + key.replace('.', '_').toUpperCase(Locale.ROOT), value));
        return environment;
    }

    /** Not idempotent: a producer that requests an id and may write nowhere is refused that as well, and then fails whatever follows. */
    KafkaProducer<String, String> producer(String user) {
        var config = client(user);
        config.put("enable.idempotence", false);
        return new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
    }

    /** Reads from the beginning, and commits nothing by itself. */
    KafkaConsumer<String, String> consumer(String user) {
        var config = client(user);
        config.put("auto.offset.reset", "earliest");
        config.put("enable.auto.commit", false);
        return new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
    }

    /** Another certificate of the same authority, without a restart. */
    void changeCertificate() throws IOException, InterruptedException, ExecutionException {
        kafka.changeCertificate();
    }

    @Override
    public void close() {
        kafka.close();
    }
}
