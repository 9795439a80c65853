package io.fundingobservatory.testbed.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;

/**
 * A broker as in production: TLS, SCRAM-SHA-512, and an authorizer that denies everything without an ACL.
 * {@code admin} may do everything and creates other users. A test authority signs the certificate, which can
 * be replaced while the broker runs.
 */
public final class SecuredKafka implements AutoCloseable {
    public static final String ADMIN = "admin";

    private static final String KEYSTORE = "listener.name.plaintext.ssl.keystore.location";

    private final EmbeddedKafka broker;
    private final Certificates certificates;
    private final Path keystore;
    private final String adminPassword;

    private SecuredKafka(EmbeddedKafka broker, Certificates certificates, Path keystore, String adminPassword) {
        this.broker = broker;
        this.certificates = certificates;
        this.keystore = keystore;
        this.adminPassword = adminPassword;
    }

    /**
     * Starts a broker on a free port of this machine.
     *
     * @param dir where its records and certificates live
     * @param adminPassword the password of {@link #ADMIN}
     */
    public static SecuredKafka start(Path dir, String adminPassword) throws IOException {
        Path tls = Files.createDirectories(dir.resolve("tls"));
        Certificates certificates = Certificates.make();
        Path keystore = tls.resolve("broker.pem");
        certificates.issue(keystore);

        String login = login(ADMIN, adminPassword);
        var secured = new HashMap<String, String>();
        // The controller's listener is on the loopback address, and the broker is its only client.
        secured.put("listener.security.protocol.map", "PLAINTEXT:SASL_SSL,CONTROLLER:PLAINTEXT");
        secured.put("inter.broker.listener.name", "PLAINTEXT");
        secured.put("sasl.mechanism.inter.broker.protocol", "SCRAM-SHA-512");
        secured.put("sasl.enabled.mechanisms", "SCRAM-SHA-512");
        secured.put("listener.name.plaintext.scram-sha-512.sasl.jaas.config", login);
        secured.put("listener.name.plaintext.ssl.keystore.type", "PEM");
        secured.put(KEYSTORE, keystore.toString());
        secured.put("listener.name.plaintext.ssl.truststore.type", "PEM");
        secured.put("listener.name.plaintext.ssl.truststore.certificates", certificates.authority());
        secured.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        secured.put("super.users", "User:" + ADMIN + ";User:ANONYMOUS");
        EmbeddedKafka broker = EmbeddedKafka.start(
                dir.resolve("records"),
                secured,
                List.of("SCRAM-SHA-512=[name=%s,password=%s]".formatted(ADMIN, adminPassword)));
        return new SecuredKafka(broker, certificates, keystore, adminPassword);
    }

    /** Where clients connect: {@code host:port}. */
    public String bootstrapServers() {
        return broker.bootstrapServers();
    }

    /** Client settings of a user, without the broker's address. */
    public Map<String, String> clientOf(String user, String password) {
        return Map.of(
                "security.protocol",
                "SASL_SSL",
                "sasl.mechanism",
                "SCRAM-SHA-512",
                "sasl.jaas.config",
                login(user, password),
                "ssl.truststore.type",
                "PEM",
                "ssl.truststore.certificates",
                certificates.authority());
    }

    /** Another key and certificate of the same authority; connections that are open stay, new ones see the new one. */
    public void changeCertificate() throws IOException, InterruptedException, ExecutionException {
        certificates.issue(keystore);
        var config = new HashMap<String, Object>(clientOf(ADMIN, adminPassword));
        config.put("bootstrap.servers", bootstrapServers());
        try (Admin admin = Admin.create(config)) {
            // The same path again: the broker reads the file again.
            var change = new AlterConfigOp(new ConfigEntry(KEYSTORE, keystore.toString()), AlterConfigOp.OpType.SET);
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.BROKER, EmbeddedKafka.NODE_ID), List.of(change)))
                    .all()
                    .get();
        }
    }

    private static String login(String user, String password) {
        return "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\";"
                .formatted(user, password);
    }

    @Override
    public void close() {
        broker.close();
    }
}
