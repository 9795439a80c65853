package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.PublishedStatus;
import io.fundingobservatory.topics.records.VenueQuality;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;

/** What the tables hold now; reading throws while they are being closed. */
public interface TableReader {
    /** Every row of one venue, at any age; used by several threads at once. */
    List<EncodedRow> rowsOf(String venue);

    /** What each poller last said, by venue. */
    Map<String, PublishedStatus> statuses();

    /** How far estimates were from what was settled, by exchange; one of which nothing is known has none. */
    Map<String, VenueQuality> qualities();

    /**
     * Is done when each quote that was published before this call has its row here, or was rejected by
     * streams. Fails when Kafka does not report the progress.
     */
    Future<?> quotesProcessed();

    /** How many quotes {@code streams} had still to process at the last request to Kafka; -1 when that is not known. */
    long quotesBehind();
}
