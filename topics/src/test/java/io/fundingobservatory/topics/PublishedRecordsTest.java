package io.fundingobservatory.topics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.IOException;
import java.io.InputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Records of each schema and version as they are on the topics of running installations ({@code records}). A
 * new optional field adds a second file. A change that one of these files does not survive needs a new
 * version of its schema.
 */
class PublishedRecordsTest {
    static Stream<JsonCodec<?>> codecs() {
        return Topics.typed().stream().<JsonCodec<?>>map(Topic::codec).distinct();
    }

    @ParameterizedTest
    @MethodSource("codecs")
    <T> void readsAndRewritesPublishedRecordUnchanged(JsonCodec<T> codec) throws IOException, MalformedRecord {
        String published = published(codec.schemaId());
        // Fields of later releases are null.
        String later = codec.fields().stream()
                .filter(field -> field.about().later() && !published.contains('"' + field.name() + '"'))
                .map(field -> ",?\"" + field.name() + "\":null")
                .reduce((a, b) -> a + '|' + b)
                .orElse("^$");
        assertEquals(
                published,
                new String(codec.encode(codec.decode(published.getBytes(UTF_8))), UTF_8).replaceAll(later, ""));
    }

    /** Quotes and rows of releases that knew no asset class: read as with nulls in its place. */
    @ParameterizedTest
    @MethodSource("classified")
    <T> void readsRecordsWithoutAssetClass(JsonCodec<T> codec) throws IOException, MalformedRecord {
        String published = published(codec.schemaId() + "-unclassed");
        String written = published.replace(
                "\"contract_type\":\"linear\"", "\"contract_type\":\"linear\",\"asset_class\":null,\"dex\":null");
        T read = codec.decode(published.getBytes(UTF_8));
        assertEquals(read, codec.decode(written.getBytes(UTF_8)));
    }

    static Stream<JsonCodec<?>> classified() {
        return Stream.of(Quote.CODEC, Rate.CODEC);
    }

    /** What the second release wrote: legs with their quote currency and their days. */
    @Test
    void readsAndRewritesTableWithDaysUnchanged() throws IOException, MalformedRecord {
        String published = published("carry-table/1-days");
        assertEquals(
                published,
                new String(CarryTable.CODEC.encode(CarryTable.CODEC.decode(published.getBytes(UTF_8))), UTF_8));
    }

    /** What the first release with counted polls writes: the requests of rates, and the counts. */
    @Test
    void readsAndRewritesStatusWithCountsUnchanged() throws IOException, MalformedRecord {
        String published = published("venue-status/1-counts");
        VenueStatus status = VenueStatus.CODEC.decode(published.getBytes(UTF_8));
        assertEquals(60, status.pollCounts().polls().get("2026-11-20T13:00:00Z"));
        assertEquals(published, new String(VenueStatus.CODEC.encode(status), UTF_8));
    }

    /** What a release writes that tells a complete poll from a partial one. */
    @Test
    void readsAndRewritesStatusOfPartialPollUnchanged() throws IOException, MalformedRecord {
        String published = published("venue-status/1-partial");
        VenueStatus status = VenueStatus.CODEC.decode(published.getBytes(UTF_8));
        assertEquals(302, status.completeSymbols());
        assertEquals(published, new String(VenueStatus.CODEC.encode(status), UTF_8));
    }

    private static String published(String schemaId) throws IOException {
        String name = "/records/" + schemaId.replace('/', '-') + ".json";
        try (InputStream file = PublishedRecordsTest.class.getResourceAsStream(name)) {
            assertNotNull(file, "no published record of " + schemaId);
            return new String(file.readAllBytes(), UTF_8);
        }
    }
}
