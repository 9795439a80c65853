package io.fundingobservatory.streams.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.ManualMetadataUpdater;
import org.apache.kafka.clients.MetadataRecoveryStrategy;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.NetworkClientUtils;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.Selector;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.TxnOffsetCommitRequest;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;

/**
 * A producer of epoch 0 whose batches arrive after its coordinator has gone on to a later epoch, by the protocol before transactions of
 * version 2: what it writes stays open, for no coordinator has the partition in a transaction. The broker must not verify partitions
 * ({@code transaction.partition.verification.enable=false}).
 */
final class LateProducer implements AutoCloseable {
    private static final int TIMEOUT_MS = 20_000;

    private final Metrics metrics = new Metrics();
    private final Node broker;
    private final NetworkClient client;
    private final String transactionalId;
    private final long id;

    /**
     * Connects.
     *
     * @param config a Kafka client's, with one address of brokers
     * @param id the producer's, which its coordinator knows at an epoch later than 0
     */
    LateProducer(Map<String, Object> config, String transactionalId, long id) throws IOException {
        String[] address = config.get("bootstrap.servers").toString().split(":", 2);
        this.broker = new Node(1, address[0], Integer.parseInt(address[1]));
        this.transactionalId = transactionalId;
        this.id = id;
        var log = new LogContext("[late producer] ");
        var channels = ClientUtils.createChannelBuilder(new AdminClientConfig(config), Time.SYSTEM, log);
        this.client = new NetworkClient(
                new Selector(TIMEOUT_MS, metrics, Time.SYSTEM, "late-producer", channels, log),
                new ManualMetadataUpdater(),
                "late-producer",
                1,
                0,
                0,
                -1,
                -1,
                TIMEOUT_MS,
                TIMEOUT_MS,
                TIMEOUT_MS,
                Time.SYSTEM,
                false,
                new ApiVersions(),
                log,
                MetadataRecoveryStrategy.NONE);
        NetworkClientUtils.awaitReady(client, broker, Time.SYSTEM, TIMEOUT_MS);
    }

    void write(TopicPartition partition) throws IOException {
        var records = MemoryRecords.withTransactionalRecords(
                Compression.NONE, id, (short) 0, 0, new SimpleRecord("k".getBytes(), "late".getBytes()));
        var topics = new ProduceRequestData.TopicProduceDataCollection();
        topics.add(new ProduceRequestData.TopicProduceData()
                .setName(partition.topic())
                .setPartitionData(List.of(new ProduceRequestData.PartitionProduceData()
                        .setIndex(partition.partition())
                        .setRecords(records))));
        short version = ProduceRequest.LAST_STABLE_VERSION_BEFORE_TRANSACTION_V2;
        send(
                ApiKeys.PRODUCE,
                version,
                new ProduceRequest(
                        new ProduceRequestData()
                                .setAcks((short) -1)
                                .setTimeoutMs(10_000)
                                .setTransactionalId(transactionalId)
                                .setTopicData(topics),
                        version));
    }

    /** Commits offset 1 of a partition for a group. */
    void commit(String group, TopicPartition read) throws IOException {
        short version = TxnOffsetCommitRequest.LAST_STABLE_VERSION_BEFORE_TRANSACTION_V2;
        send(
                ApiKeys.TXN_OFFSET_COMMIT,
                version,
                new TxnOffsetCommitRequest(
                        new TxnOffsetCommitRequestData()
                                .setTransactionalId(transactionalId)
                                .setGroupId(group)
                                .setProducerId(id)
                                .setProducerEpoch((short) 0)
                                .setTopics(List.of(new TxnOffsetCommitRequestTopic()
                                        .setName(read.topic())
                                        .setPartitions(List.of(new TxnOffsetCommitRequestPartition()
                                                .setPartitionIndex(read.partition())
                                                .setCommittedOffset(1))))),
                        version));
    }

    private void send(ApiKeys key, short version, AbstractRequest request) throws IOException {
        var builder = new AbstractRequest.Builder<>(key, version) {
            @Override
            public AbstractRequest build(short sent) {
                return request;
            }
        };
        long now = Time.SYSTEM.milliseconds();
        AbstractResponse response = NetworkClientUtils.sendAndReceive(
                        client, client.newClientRequest(broker.idString(), builder, now, true), Time.SYSTEM)
                .responseBody();
        assertEquals(Map.of(Errors.NONE, 1), response.errorCounts());
    }

    @Override
    public void close() {
        client.close();
        metrics.close();
    }
}
