package io.fundingobservatory.topics.records;

import io.fundingobservatory.topics.json.JsonCodec;
import java.util.List;
import java.util.Map;

/**
 * What one published list of {@code /api/v1/latest} was made from, so that anybody can make the same bytes again from the topics.
 *
 * @param tag the tag of the list of the default scope, without quotes or coding
 * @param tagOfAll the tag of the list of all venues ({@code venues=all})
 * @param generatedAtMs the list's time of generation, epoch ms UTC
 * @param asOfMs the instant as of which ages of rows were computed, epoch ms UTC; {@code generatedAtMs} unless the clock was set
 *     back
 * @param marks the last row that was read of each partition of {@code rates.latest}; a partition without rows has none
 * @param statuses by venue the offset of its status in {@code venues.status.history}; a venue that no poller has reported has
 *     none
 * @param removed rows that were left out for their age, by venue
 * @param deleted rows of a younger age that {@code streams} had withdrawn, by {@code venue|symbol}, with the time of their
 *     observation, epoch ms UTC
 */
public record PublishedList(
        String tag,
        String tagOfAll,
        long generatedAtMs,
        long asOfMs,
        List<RowMark> marks,
        Map<String, Long> statuses,
        Map<String, Long> removed,
        Map<String, Long> deleted) {
    public static final JsonCodec<PublishedList> CODEC = JsonCodec.<PublishedList>of("published-list", 1)
            .text("tag", PublishedList::tag)
            .text("tag_of_all", PublishedList::tagOfAll)
            .integer("generated_at_ms", PublishedList::generatedAtMs)
            .integer("as_of_ms", PublishedList::asOfMs)
            .list("row_marks", RowMark.CODEC, PublishedList::marks)
            .counts("statuses", PublishedList::statuses)
            .counts("removed_rows", PublishedList::removed)
            .counts("deleted_rows", PublishedList::deleted)
            .build(f -> new PublishedList(
                    f.text("tag"),
                    f.text("tag_of_all"),
                    f.integer("generated_at_ms"),
                    f.integer("as_of_ms"),
                    f.list("row_marks"),
                    f.counts("statuses"),
                    f.counts("removed_rows"),
                    f.counts("deleted_rows")));

    public PublishedList {
        marks = List.copyOf(marks);
        statuses = Map.copyOf(statuses);
        removed = Map.copyOf(removed);
        deleted = Map.copyOf(deleted);
    }

    /** The same with the offsets of its statuses. */
    public PublishedList withStatuses(Map<String, Long> offsets) {
        return new PublishedList(tag, tagOfAll, generatedAtMs, asOfMs, marks, offsets, removed, deleted);
    }
}
