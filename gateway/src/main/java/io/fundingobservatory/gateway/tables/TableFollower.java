package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.runtime.KafkaAccess;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Follows rates, statuses and qualities. */
public final class TableFollower extends Follower {
    private final Changes changes;
    private final Consumer<String> poison;
    private volatile @Nullable Tables open;

    /**
     * A follower that has opened nothing yet.
     *
     * @param poison receives the topic of each record that cannot be read
     * @param meters publishes Kafka's own metrics of the clients
     * @param closing is counted down to end it
     */
    public TableFollower(
            KafkaAccess kafka, Changes changes, Consumer<String> poison, MeterRegistry meters, CountDownLatch closing) {
        super(kafka, TableTopology.RATE_TOPICS, meters, closing, LoggerFactory.getLogger(TableFollower.class));
        this.changes = changes;
        this.poison = poison;
    }

    /** The tables; null while there are none to be read. */
    public @Nullable TableReader tables() {
        return open;
    }

    @Override
    TableClient client() {
        return new TableClient("observatory-gateway", kafka, TableTopology.rates(changes, poison), Map.of());
    }

    @Override
    void opened(TableClient client) {
        open = new Tables(kafka, client);
        failures.over("tables restored");
        changes.statuses();
    }

    @Override
    void closed() {
        Tables tables = open;
        open = null;
        if (tables != null) {
            tables.close();
        }
    }
}
