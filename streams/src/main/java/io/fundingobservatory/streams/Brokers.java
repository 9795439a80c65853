package io.fundingobservatory.streams;

import io.fundingobservatory.topics.TopicCreation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the brokers have to provide before the topology starts. */
final class Brokers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Brokers.class);
    private static final short BROKERS_DEFAULT = -1;
    private static final String TRANSACTION_VERSION = "transaction.version";

    private final String bootstrapServers;
    private final Admin admin;

    Brokers(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
        this.admin = Admin.create(Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5_000));
    }

    /** Returns once a broker has answered and every topic is there, or when waiting is given up. */
    void await(BooleanSupplier givenUp) throws InterruptedException {
        LOG.info("starting bootstrap_servers={}", bootstrapServers);
        while (!givenUp.getAsBoolean()) {
            try {
                List<String> created = TopicCreation.createMissing(admin, BROKERS_DEFAULT);
                if (!created.isEmpty()) {
                    LOG.info("created topics={}", created);
                }
                return;
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof RetriableException)) {
                    throw new StartFailure("the topics cannot be created at " + bootstrapServers + ": " + cause(e));
                }
                LOG.info("waiting for=broker bootstrap_servers={} reason={}", bootstrapServers, cause(e));
            }
        }
    }

    /** The first version of transactions let a delayed record of an aborted one slip into the next. */
    void requireTransactionsV2() throws InterruptedException {
        short level;
        try {
            var features = admin.describeFeatures().featureMetadata().get().finalizedFeatures();
            var transactions = features.get(TRANSACTION_VERSION);
            level = transactions == null ? 0 : transactions.maxVersionLevel();
        } catch (ExecutionException e) {
            throw new StartFailure("the brokers at " + bootstrapServers + " do not tell their features: " + cause(e));
        }
        if (level < 2) {
            throw new StartFailure("the brokers at " + bootstrapServers + " run " + TRANSACTION_VERSION + "=" + level
                    + ", 2 is needed: kafka-features.sh upgrade --feature " + TRANSACTION_VERSION + "=2");
        }
    }

    /** Whether the stores begin anew, and are read again from the ledger's topics. */
    boolean prepareStores(String applicationId, BooleanSupplier givenUp) throws InterruptedException {
        try {
            return new LedgerRebuild(admin, applicationId).prepare(givenUp);
        } catch (ExecutionException e) {
            throw new StartFailure("the stores cannot be prepared at " + bootstrapServers + ": " + cause(e));
        }
    }

    private static String cause(ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return cause.getClass().getSimpleName() + " " + cause.getMessage();
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
