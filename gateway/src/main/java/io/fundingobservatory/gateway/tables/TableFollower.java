package io.fundingobservatory.gateway.tables;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Follows rates, statuses and qualities. */
public final class TableFollower extends Follower {
    private volatile @Nullable Tables open;

    public TableFollower(Following following) {
        super(following, TableTopology.RATE_TOPICS, LoggerFactory.getLogger(TableFollower.class));
    }

    /** The tables; null while there are none to be read. */
    public @Nullable TableReader tables() {
        return open;
    }

    @Override
    TableClient client() {
        return new TableClient(
                "observatory-gateway", following.kafka(), TableTopology.rates(following.changes()), Map.of());
    }

    @Override
    void opened(TableClient client) {
        open = new Tables(following.kafka(), client);
        failures.over("tables restored");
        following.changes().statuses();
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
