package io.fundingobservatory.standalone;

import static io.fundingobservatory.standalone.Ran.observatory;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.carry.CarryTable;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** {@code observatory receipt} of an asset whose pair table was withdrawn: {@code /api/v1/carry} has none of its pairs any more. */
class WithdrawnPairsTest {
    @Test
    void withdrawnTableIsNoTable() {
        try (var kafka = KafkaFixture.start();
                var producer = new KafkaProducer<>(
                        Map.<String, Object>of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers()),
                        new StringSerializer(),
                        new ByteArraySerializer())) {
            for (String asset : List.of("BTC", "ETH")) {
                byte[] table = CarryTable.CODEC.encode(new CarryTable(asset, 0, 2_592_000_000L, List.of(), List.of()));
                producer.send(new ProducerRecord<>(Topics.CARRY_PAIRS.name(), asset, table));
            }
            producer.send(new ProducerRecord<>(Topics.CARRY_PAIRS.name(), "BTC", null));
            producer.flush();
            Ran withdrawn = observatory("receipt", "--bootstrap-server", kafka.bootstrapServers(), "BTC");
            assertEquals(1, withdrawn.exit(), withdrawn.out());
            assertTrue(withdrawn.err().contains("there is no pair table of BTC"), withdrawn.err());
            Ran other = observatory("receipt", "--bootstrap-server", kafka.bootstrapServers(), "ETH");
            assertEquals(0, other.exit(), other.err());
        }
    }
}
