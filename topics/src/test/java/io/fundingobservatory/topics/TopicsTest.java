package io.fundingobservatory.topics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class TopicsTest {
    @Test
    void theCatalogueIsWholeAndExplicit() {
        var names = new HashSet<String>();
        Topics.all().forEach(topic -> {
            assertTrue(names.add(topic.name()), topic.name() + " once");
            assertTrue(topic.partitions() > 0);
            assertTrue(topic.config().containsKey("cleanup.policy"));
        });
        assertEquals(Topics.typed().size() + Topics.plain().size(), names.size());
    }

    /** Brokers accept records of 1 MB unless a topic allows more. */
    @Test
    void onlyTablesAndRejectedRecordsAreLarge() {
        var large = new TreeMap<String, String>();
        Topics.all().forEach(topic -> {
            String bytes = topic.config().get("max.message.bytes");
            if (bytes != null) {
                large.put(topic.name(), bytes);
            }
        });
        assertEquals(Map.of("carry.pairs", "8388608", "dead-letters", "8388608"), large);
    }

    @Test
    void topicsKeyedByContractSharePartitionCount() {
        long counts = Topics.typed().stream()
                .filter(t -> t.keyMeaning().equals("venue|symbol"))
                .map(Topic::partitions)
                .distinct()
                .count();
        assertEquals(1, counts);
    }

    @Test
    void valuesCarryTheirSchemaAndTombstonesStayNull() {
        var headers = new RecordHeaders();
        Quote quote = new SampleRecords(1).quote();
        byte[] bytes = Topics.QUOTES_RAW.serializer().serialize("any", headers, quote);
        assertArrayEquals(
                "quote/1".getBytes(StandardCharsets.UTF_8),
                headers.lastHeader(Topic.SCHEMA_HEADER).value());
        assertEquals(quote, Topics.QUOTES_RAW.deserializer().deserialize("any", bytes));
        assertNull(Topics.QUOTES_RAW.serializer().serialize("any", headers, null));
        assertNull(Topics.QUOTES_RAW.deserializer().deserialize("any", null));
        assertThrows(
                SerializationException.class,
                () -> Topics.QUOTES_RAW.deserializer().deserialize("any", new byte[] {1}));
    }

    @Test
    void everyVenueIsListedOnce() {
        assertEquals(
                ListedVenue.ALL.size(),
                ListedVenue.ALL.stream().map(ListedVenue::id).distinct().count());
        assertEquals(ListedVenue.ALL.size(), Topics.VENUES_ASSIGNMENT.partitions());
    }

    @Test
    void venueIsClosedFromAnnouncedInstant() {
        ListedVenue listed = ListedVenue.of("apex");
        assertNull(listed.closing());
        assertFalse(listed.isClosed(Long.MAX_VALUE));
        ListedVenue ending = listed.closing("2030-01-02T03:00:00Z", "https://apex.example/end");
        long end = Instant.parse("2030-01-02T03:00:00Z").toEpochMilli();
        assertEquals(new ListedVenue.Closing(end, URI.create("https://apex.example/end")), ending.closing());
        assertFalse(ending.isClosed(end - 1));
        assertTrue(ending.isClosed(end));
        assertTrue(OpenVenues.LISTED.isOpen("apex", end));
        assertFalse(OpenVenues.LISTED.isOpen("bitmex", end), "not listed any more");
    }

    @Test
    void wholeHistoryHasNoCount() {
        assertThrows(
                IllegalArgumentException.class, () -> new HistoryReach(HistoryReach.Extent.WHOLE, 100, Basis.SETTLED));
    }

    @Test
    void aKeyIsVenueBarSymbol() {
        assertEquals(new ContractKey("okx", "A|B"), ContractKey.parse("okx|A|B"));
        assertEquals("okx|A|B", new ContractKey("okx", "A|B").toString());
        assertThrows(IllegalArgumentException.class, () -> ContractKey.parse("okx"));
        assertThrows(IllegalArgumentException.class, () -> ContractKey.parse("okx|"));
        assertThrows(IllegalArgumentException.class, () -> new ContractKey("a|b", "c"));
    }

    @Test
    void aRowGrowsStaleAndThenGoes() {
        Rate row = new SampleRecords(2).latest();
        long t = row.observedAtMs();
        assertTrue(!row.asOf(t + Rate.STALE_AFTER_MS).stale());
        assertTrue(row.asOf(t + Rate.STALE_AFTER_MS + 1).stale());
        assertTrue(!row.goneAt(t + Rate.REMOVED_AFTER_MS));
        assertTrue(row.goneAt(t + Rate.REMOVED_AFTER_MS + 1));
    }

    /** What is past its age is gone within hours, and the ledger of 30 days outlives a standstill of four. */
    @Test
    void retentionAllowsRebuildingLedger() {
        for (CataloguedTopic topic : Topics.all()) {
            Map<String, String> config = topic.config();
            assertTrue(Long.parseLong(config.get("segment.ms")) <= 6 * 3_600_000L, topic::name);
            assertTrue(Long.parseLong(config.get("segment.bytes")) <= 64 << 20, topic::name);
            boolean stampedByBroker = "LogAppendTime".equals(config.get("message.timestamp.type"));
            assertTrue(stampedByBroker || config.containsKey("message.timestamp.after.max.ms"), topic::name);
        }
        for (var topic : List.of(Topics.SETTLEMENTS_RAW, Topics.SETTLEMENTS)) {
            assertEquals(Long.toString(35 * 86_400_000L), topic.config().get("retention.ms"));
        }
    }
}
