package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.topics.Topics;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.StreamsConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows the pair tables. Where it fails, rates are followed as before. */
public final class PairFollower extends Follower {
    private static final Logger LOG = LoggerFactory.getLogger(PairFollower.class);

    /**
     * Records per poll. The records of a poll are in memory at once, unpacked. A table of one asset is up to
     * 8 MB; those of the largest assets are some 0.5 MB. During a backfill the topic holds each of them many
     * times. The default of 500 records was more than the heap.
     */
    private static final int PAIR_TABLES_OF_A_POLL = 8;

    public PairFollower(Following following) {
        super(following, List.of(Topics.CARRY_PAIRS.name()), LOG);
    }

    @Override
    TableClient client() {
        return new TableClient(
                "observatory-gateway-pairs",
                following.kafka(),
                TableTopology.pairs(following.changes()),
                Map.of(
                        StreamsConfig.globalConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG),
                        PAIR_TABLES_OF_A_POLL));
    }

    @Override
    void opened(TableClient client) {
        failures.over("pair tables restored");
        following.changes().pairTables(Changes.PairTables.RESTORED);
    }

    @Override
    void failed() {
        following.changes().pairTables(Changes.PairTables.UNREADABLE);
    }
}
