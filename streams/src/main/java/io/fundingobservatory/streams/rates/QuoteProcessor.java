package io.fundingobservatory.streams.rates;

import io.fundingobservatory.streams.listings.Listing;
import io.fundingobservatory.streams.listings.ReadTime;
import io.fundingobservatory.streams.normalisation.Normaliser;
import io.fundingobservatory.streams.processing.RecordProcessor;
import io.fundingobservatory.streams.processing.StreamsMetrics;
import io.fundingobservatory.streams.processing.StreamsMetrics.Count;
import io.fundingobservatory.streams.processing.TaskTime;
import io.fundingobservatory.topics.OpenVenues;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import java.util.function.LongSupplier;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Turns bytes into a quote, the quote into a rate per 8 hours, and the newest rate of each contract into its
 * row. Settlements that took place since the observation before become events of the contract. Records that
 * cannot be read or cannot be true become dead letters.
 *
 * <p>One read and one write of the contract's state for each quote. Everything is computed before anything is
 * written, so a record that fails here leaves no partial change.
 */
public final class QuoteProcessor extends RecordProcessor<Quote> {
    private static final String READ = "read-quote";
    private static final String NORMALISE = "normalise";
    private static final String VENUE_CLOSED = "venue_closed";
    private static final Headers ROW_SCHEMA = new RecordHeaders().add(Topics.RATES_LATEST.schemaHeader());

    private final OpenVenues venues;
    private final ListingFollower listings;
    private final TaskTime time;

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private KeyValueStore<byte[], ContractState> contracts;

    private @Nullable Cancellable ageing;

    /** {@code steadyMs} counts milliseconds and never jumps; {@code readTime} is the same for all tasks of the process. */
    public QuoteProcessor(StreamsMetrics metrics, LongSupplier steadyMs, ReadTime readTime, OpenVenues venues) {
        super(metrics, READ, Quote.CODEC, quote -> quote.venue() + '|' + quote.symbol());
        this.venues = venues;
        this.listings = new ListingFollower(metrics, readTime);
        this.time = new TaskTime(steadyMs);
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        super.init(context);
        contracts = context.getStateStore(ContractState.STORE);
        var rows = new RowAgeing(metrics, time, context, contracts, venues);
        rows.forEach((key, state) -> {
            listings.restore(RowAgeing.contract(key), state.listing());
            time.stored(state.listing().observedAtMs());
        });
        ageing = context.schedule(RowAgeing.EVERY, PunctuationType.WALL_CLOCK_TIME, tick -> rows.run());
    }

    @Override
    public void close() {
        if (ageing != null) {
            ageing.cancel();
        }
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        metrics.count(Count.READ);
        time.arrived(record.timestamp());
        super.process(record);
    }

    @Override
    protected void take(Record<byte[], byte[]> record, Quote quote) {
        switch (Normaliser.normalise(quote)) {
            case Normaliser.Accepted(Rate rate)
            when !venues.isOpen(rate.venue(), record.timestamp()) ->
                reject(record, NORMALISE, VENUE_CLOSED, "a quote of a venue that has closed");
            case Normaliser.Accepted(Rate rate) -> observe(record, quote.base(), rate);
            case Normaliser.Rejected(String reason) -> reject(record, NORMALISE, reason, "a quote that cannot be true");
        }
    }

    /** Whether an observation replaces the stored one, null for none: one of the same time or earlier is a duplicate or came late. */
    private static boolean replaces(@Nullable Long storedObservedAtMs, long observedAtMs) {
        return storedObservedAtMs == null || observedAtMs > storedObservedAtMs;
    }

    private void observe(Record<byte[], byte[]> record, String base, Rate read) {
        // A reader whose clock is ahead must not freeze its rows at a future time.
        Rate rate = read.observedAtMs() > record.timestamp() ? read.readAt(record.timestamp()) : read;
        ContractState state = contracts.get(record.key());
        Listing known = state == null ? null : state.listing();
        if (!replaces(known == null ? null : known.observedAtMs(), rate.observedAtMs())) {
            metrics.count(Count.SUPERSEDED);
            return;
        }
        byte[] row = Rate.CODEC.encode(rate);
        ListingFollower.Followed followed = listings.follow(known, base, rate, record.timestamp());
        metrics.count(Count.ACCEPTED);
        contracts.put(record.key(), new ContractState(followed.listing(), true));
        // Whatever its age it is shown once, so that every accepted observation leaves its trace; ageing does the rest.
        var shown = new Record<>(record.key(), row, record.timestamp(), ROW_SCHEMA);
        context().forward(shown, RatesTopology.OBSERVATIONS);
        context().forward(shown, RatesTopology.LATEST);
        followed.events()
                .forEach(event -> context()
                        .forward(ContractEvents.record(event, record.timestamp()), RatesTopology.CONTRACT_EVENTS));
    }
}
