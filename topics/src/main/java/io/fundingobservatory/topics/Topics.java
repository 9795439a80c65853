package io.fundingobservatory.topics;

import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.ContractEvent;
import io.fundingobservatory.topics.records.HistoryProgress;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.SettledRate;
import io.fundingobservatory.topics.records.Settlement;
import io.fundingobservatory.topics.records.VenueQuality;
import io.fundingobservatory.topics.records.VenueStatus;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The catalogue: every topic there is. No topic's name is a literal anywhere else. */
public final class Topics {
    /** Topics keyed by contract share this count, so that one task sees everything about a contract. */
    private static final int BY_CONTRACT = 6;

    /** The most bytes of a record where no more is needed: the brokers' own default, without the batch's header. */
    public static final int USUAL_RECORD = 1024 * 1024;

    /**
     * The most bytes of any record, which brokers have to accept: a table of some hundred contracts, or a rejected record with its
     * headers.
     */
    public static final int LARGEST_RECORD = 8 * 1024 * 1024;

    /**
     * Bytes of a partition: 1.2 GB of quotes in all. The operations page on sizing lists the size of each
     * topic.
     */
    private static final long QUOTES_BYTES = 200L << 20;

    /** Of a partition: 1.8 GB of normalised rates in all. */
    private static final long RATES_BYTES = 300L << 20;

    /**
     * The window of 30 days, a day for late settlements, and a standstill of four days: the ledger can be
     * rebuilt from it.
     */
    private static final Duration LEDGER_AGE = Duration.ofDays(35);

    /** What the exchanges published, unmodified. */
    public static final Topic<Quote> QUOTES_RAW = new Topic<>(
            "quotes.raw",
            "venue|symbol",
            Quote.CODEC,
            BY_CONTRACT,
            new Retention.DeleteStamped(Duration.ofDays(3), QUOTES_BYTES));

    /** Settlements that the exchanges published. */
    public static final Topic<SettledRate> SETTLEMENTS_RAW = new Topic<>(
            "settlements.raw", "venue|symbol", SettledRate.CODEC, BY_CONTRACT, new Retention.DeleteStamped(LEDGER_AGE));

    /** How each exchange is doing. Ingest compares its clock with the times at which brokers take these records. */
    public static final Topic<VenueStatus> VENUES_STATUS =
            new Topic<>("venues.status", "venue", VenueStatus.CODEC, 1, new Retention.CompactStamped());

    /** Normalised rates, one record for each new observation: the event stream for internal teams. */
    public static final Topic<Rate> RATES_NORMALISED = new Topic<>(
            "rates.normalised",
            "venue|symbol",
            Rate.CODEC,
            BY_CONTRACT,
            new Retention.Delete(Duration.ofDays(7), RATES_BYTES));

    /** The newest normalised rate of each contract. */
    public static final Topic<Rate> RATES_LATEST =
            new Topic<>("rates.latest", "venue|symbol", Rate.CODEC, BY_CONTRACT, new Retention.Compact());

    /** What {@code rates} reports to {@code pairs} about the contracts of each asset; only streams reads it. */
    public static final Topic<ContractEvent> CONTRACT_EVENTS = new Topic<>(
            "contract.events",
            "asset",
            ContractEvent.CODEC,
            BY_CONTRACT,
            new Retention.DeleteStamped(Duration.ofDays(7), QUOTES_BYTES));

    /** The settlement ledger. */
    public static final Topic<Settlement> SETTLEMENTS =
            new Topic<>("settlements", "venue|symbol", Settlement.CODEC, BY_CONTRACT, new Retention.Delete(LEDGER_AGE));

    /** The 30-day pair table, one record per asset. */
    public static final Topic<CarryTable> CARRY_PAIRS =
            new Topic<>("carry.pairs", "asset", CarryTable.CODEC, BY_CONTRACT, new Retention.Compact(), LARGEST_RECORD);

    /** How far our estimates were from what each exchange settled. */
    public static final Topic<VenueQuality> VENUES_QUALITY =
            new Topic<>("venues.quality", "venue", VenueQuality.CODEC, 1, new Retention.Compact());

    /** How far ingest has read the settled history of each contract; only ingest reads it. */
    public static final Topic<HistoryProgress> INGEST_PROGRESS =
            new Topic<>("ingest.progress", "venue|symbol", HistoryProgress.CODEC, BY_CONTRACT, new Retention.Compact());

    private static final List<Topic<?>> TYPED = List.of(
            QUOTES_RAW,
            SETTLEMENTS_RAW,
            VENUES_STATUS,
            RATES_NORMALISED,
            RATES_LATEST,
            CONTRACT_EVENTS,
            SETTLEMENTS,
            CARRY_PAIRS,
            VENUES_QUALITY,
            INGEST_PROGRESS);

    /** Records that could not be read, their own bytes under their own key, with reason, stage and position in headers. */
    public static final PlainTopic DEAD_LETTERS = new PlainTopic(
            "dead-letters",
            "the record's own",
            1,
            new Retention.Delete(Duration.ofDays(14), 256L << 20),
            LARGEST_RECORD);

    /** Holds no records: one partition per listed venue, shared among the ingest processes by their consumer group. */
    public static final PlainTopic VENUES_ASSIGNMENT =
            new PlainTopic("venues.assignment", "none", ListedVenue.ALL.size(), keptFor(1), USUAL_RECORD);

    private static final List<PlainTopic> PLAIN = List.of(DEAD_LETTERS, VENUES_ASSIGNMENT);

    /**
     * The consumer group of the application {@code rates}. Its transactions commit offsets together with
     * results. An offset committed on {@link #QUOTES_RAW} means that each earlier quote has become a row or a
     * dead letter.
     */
    public static final String STREAMS_GROUP = "observatory-streams";

    /** The consumer group of the application {@code pairs}. */
    public static final String PAIRS_GROUP = "observatory-pairs";

    /** The consumer group in which ingest processes share the exchanges. */
    public static final String INGEST_GROUP = "observatory-ingest";

    private Topics() {}

    private static Retention keptFor(int days) {
        return new Retention.Delete(Duration.ofDays(days));
    }

    /** Returns every topic. */
    public static List<CataloguedTopic> all() {
        return Stream.<CataloguedTopic>concat(TYPED.stream(), PLAIN.stream()).toList();
    }

    /** Topics whose values have a codec. */
    public static List<Topic<?>> typed() {
        return TYPED;
    }

    /** Topics whose values, if any, are plain bytes. */
    public static List<PlainTopic> plain() {
        return PLAIN;
    }

    /**
     * A topic without a codec.
     *
     * @param name the topic's name
     * @param keyMeaning what a key is, for people
     * @param partitions how many partitions it is created with
     * @param policy how long records are kept
     * @param largestRecord the most bytes of a record, key and headers included
     */
    public record PlainTopic(String name, String keyMeaning, int partitions, Retention policy, int largestRecord)
            implements CataloguedTopic {}
}
