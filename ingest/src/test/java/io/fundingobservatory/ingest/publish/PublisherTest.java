package io.fundingobservatory.ingest.publish;

import static io.fundingobservatory.testbed.SampleRecords.fields;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.HistoryProgress;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import io.fundingobservatory.topics.records.SettledRate;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PublisherTest {
    private static final InstantSource CLOCK = InstantSource.system();

    /** Acknowledges statuses at once, and quotes when the test does, unless it is away. */
    private final MockProducer<String, byte[]> broker =
            new MockProducer<>(false, new RoundRobinPartitioner(), new StringSerializer(), new ByteArraySerializer()) {
                @Override
                public Future<RecordMetadata> send(ProducerRecord<String, byte[]> sent, Callback callback) {
                    Future<RecordMetadata> acknowledged = super.send(sent, callback);
                    if (sent.topic().equals(Topics.VENUES_STATUS.name())) {
                        while (!acknowledged.isDone()) {
                            boolean any = failure == null ? completeNext() : errorNext(failure);
                            assertTrue(any, "a status that was sent waits for its acknowledgement");
                        }
                    }
                    return acknowledged;
                }
            };

    private @Nullable RuntimeException failure;
    private final List<String> fatal = new ArrayList<>();
    private final List<String> unwritable = new ArrayList<>();
    private final List<String> dropped = new ArrayList<>();
    private final IngestEvents events = new IngestEvents() {
        @Override
        public void dropped(String venue, String reason) {
            dropped.add(venue + ' ' + reason);
        }

        @Override
        public void unwritable(String venue, String topic, String flaw) {
            unwritable.add(venue + ' ' + topic + ' ' + flaw);
        }
    };
    private final Publisher publisher = new Publisher(broker, CLOCK, events, fatal::add);

    private static Quote quote(String symbol) {
        return SampleRecords.quote(
                fields("venue", "gate", "symbol", symbol, "base", "BTC", "quote", "USDT"),
                fields("contract_type", ContractType.LINEAR, "asset_class", null, "dex", null),
                fields("rate", new BigDecimal("0.0001"), "rate_unit", RateUnit.FRACTION, "rate_hours", null),
                fields("rate_kind", RateKind.ESTIMATE, "interval_h", null, "interval_source", null),
                fields("next_funding_ms", null, "mark_price", null, "index_price", null, "venue_time_ms", null),
                fields("observed_at_ms", 1_790_000_000_000L));
    }

    private static VenueStatus status(String venue) {
        return new VenueStatus(venue, Source.LIVE, RateKind.ESTIMATE, false, null, 1L, 1L, null, null, 1L, Map.of());
    }

    @Test
    void writesStatusBeforeQuotesWithKeyAndSchema() {
        assertTrue(publisher.publish(List.of(quote("A"), quote("B")), status("gate")));
        var sent = broker.history();
        assertEquals(
                List.of("gate", "gate|A", "gate|B"),
                sent.stream().map(r -> r.key()).toList());
        assertEquals(Topics.VENUES_STATUS.name(), sent.get(0).topic());
        assertEquals(Topics.QUOTES_RAW.name(), sent.get(1).topic());
        assertEquals(
                "quote/1",
                new String(sent.get(1).headers().lastHeader(Topic.SCHEMA_HEADER).value(), StandardCharsets.UTF_8));
    }

    /** Brokers may acknowledge statuses while they do not acknowledge quotes, and some quotes while not all. */
    @Test
    void dropsPollWhileQuotesOfFormerPollWait() {
        assertTrue(publisher.publish(List.of(quote("A"), quote("B")), status("gate")));
        assertTrue(broker.completeNext(), "the first of two");
        assertFalse(publisher.publish(List.of(quote("A")), status("gate")));
        assertFalse(publisher.isReachable());
        assertEquals(List.of("gate broker_unreachable"), dropped);
        assertEquals(3, broker.history().size(), "neither status nor quote");

        while (broker.completeNext()) {}
        assertTrue(publisher.isReachable());
        assertTrue(publisher.publish(List.of(quote("A")), status("gate")));
        assertTrue(publisher.publish(List.of(), status("okx")), "another venue's do not matter");
        assertEquals(1, dropped.size(), dropped::toString);
    }

    @Test
    void aFailedDeliveryIsNoDeadEnd() {
        publisher.publish(List.of(quote("A")), status("gate"));
        while (broker.errorNext(new TimeoutException("2 record(s) expired"))) {}
        assertFalse(publisher.isReachable());
        assertTrue(publisher.publish(List.of(quote("A")), status("gate")));
        while (broker.completeNext()) {}
        assertTrue(publisher.isReachable());
    }

    @Test
    void fullBufferEndsPollAtFirstRecord() {
        broker.sendException = new TimeoutException("no room");
        assertFalse(publisher.publish(List.of(quote("A"), quote("B")), status("gate")));
        assertEquals(0, broker.history().size());
        broker.sendException = null;
        assertTrue(publisher.publish(List.of(quote("A")), status("gate")));
    }

    /** A venue that is given up says nothing about the broker. */
    @Test
    void interruptedPollerLeavesBrokerReachable() {
        broker.sendException = new InterruptException("given up");
        assertFalse(publisher.publish(List.of(quote("A")), status("gate")));
        assertFalse(publisher.publishSettled(List.of(settled("A"))));
        publisher.publishProgress(new HistoryProgress("gate", "A", 1L, true));
        assertTrue(Thread.interrupted(), "the interrupt is still set");
        assertTrue(publisher.isReachable());
    }

    @Test
    void givesUpFailedProducerButNotAbsentBroker() {
        failure = new TimeoutException("1 record(s) expired");
        assertFalse(publisher.publish(List.of(quote("A")), status("okx")));
        assertEquals(List.of(), fatal);
        failure = new KafkaException(
                "Cannot perform send because at least one previous idempotent request has failed",
                new OutOfOrderSequenceException("The broker received an out of order sequence number."));
        assertFalse(publisher.publish(List.of(quote("A")), status("okx")));
        assertEquals(2, broker.history().size(), "no quote follows a status that failed");
        assertEquals(1, fatal.size());
        assertTrue(fatal.getFirst().startsWith("its producer has failed for good: "), fatal::toString);
        assertFalse(publisher.isReachable());
    }

    @Test
    void reportsUnwritableRecordWithoutLosingOthers() {
        String halfAPair = "X\uD83D";
        assertTrue(publisher.publish(List.of(quote("A"), quote(halfAPair), quote(" "), quote("B")), status("gate")));
        assertEquals(
                List.of("gate", "gate|A", "gate|B"),
                broker.history().stream().map(r -> r.key()).toList());
        assertEquals(2, unwritable.size(), unwritable::toString);
        assertTrue(unwritable.getFirst().startsWith("gate quotes.raw quote: symbol"), unwritable::toString);

        assertTrue(publisher.publish(
                List.of(),
                new VenueStatus("okx", Source.LIVE, null, false, halfAPair, null, null, null, null, null, Map.of())));
        assertEquals(3, broker.history().size());
        while (broker.completeNext()) {}
        assertTrue(publisher.publish(List.of(quote("A")), status("gate")), "nothing waits for it");
    }

    @Test
    void doesNotRereadUnwritableSettlementForever() {
        var acknowledging = new MockProducer<>(
                true, new RoundRobinPartitioner(), new StringSerializer(), new ByteArraySerializer());
        try (var to = new Publisher(acknowledging, CLOCK, events, fatal::add)) {
            assertTrue(to.publishSettled(List.of(settled("A"), settled("X\uD83D"), settled("B"))));
            to.publishProgress(new HistoryProgress("gate", "X\uD83D", 1L, true));
        }
        assertEquals(
                List.of("gate|A", "gate|B"),
                acknowledging.history().stream().map(r -> r.key()).toList());
        assertEquals(2, unwritable.size(), unwritable::toString);
    }

    private static SettledRate settled(String symbol) {
        return new SettledRate(
                "gate",
                symbol,
                1_790_000_000_000L,
                new BigDecimal("0.0001"),
                RateUnit.FRACTION,
                null,
                null,
                null,
                1_790_000_060_000L);
    }
}
