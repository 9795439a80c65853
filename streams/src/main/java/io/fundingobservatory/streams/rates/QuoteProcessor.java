package io.fundingobservatory.streams.rates;

import io.fundingobservatory.streams.carry.Listing;
import io.fundingobservatory.streams.carry.ReadTime;
import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.core.LateObservation;
import io.fundingobservatory.streams.core.Latest;
import io.fundingobservatory.streams.core.Normalised;
import io.fundingobservatory.streams.core.Normaliser;
import io.fundingobservatory.streams.core.StreamsMetrics;
import io.fundingobservatory.streams.core.StreamsMetrics.Count;
import io.fundingobservatory.streams.formats.ContractState;
import io.fundingobservatory.streams.formats.RecordProcessor;
import io.fundingobservatory.topics.OpenVenues;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import java.util.Objects;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
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

    private final BrokerClock clock;
    private final ReadTime readTime;
    private final OpenVenues venues;
    private final ContractHistory history;

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private ContractStates contracts;

    @SuppressWarnings("NullAway.Init")
    private ListingFollower listings;

    private @Nullable Cancellable ageing;

    public QuoteProcessor(
            StreamsMetrics metrics, BrokerClock clock, ReadTime readTime, OpenVenues venues, ContractHistory history) {
        super(metrics, READ, Quote.CODEC, quote -> quote.venue() + '|' + quote.symbol());
        this.clock = clock;
        this.readTime = readTime;
        this.venues = venues;
        this.history = history;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        super.init(context);
        contracts = new ContractStates(context.getStateStore(ContractStates.STORE), history);
        contracts.restore(context.taskId().partition());
        listings = new ListingFollower(metrics, clock, readTime, contracts);
        var rows = new RowAgeing(metrics, clock, context, contracts, venues);
        ageing = context.schedule(RowAgeing.EVERY, PunctuationType.WALL_CLOCK_TIME, tick -> rows.run());
    }

    @Override
    public void close() {
        clock.left(Topics.QUOTES_RAW, context().taskId().partition());
        if (ageing != null) {
            ageing.cancel();
        }
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        metrics.count(Count.READ);
        clock.arrived(Topics.QUOTES_RAW, partition(), record.timestamp());
        super.process(record);
    }

    @Override
    protected void take(Record<byte[], byte[]> record, Quote quote) {
        // The brokers' time: neither the reader of the venue nor this process can set it.
        switch (Normaliser.normalise(quote, clock.arrivedMs(record.timestamp()))) {
            case Normalised.Accepted(Rate rate)
            when !venues.isOpen(rate.venue(), record.timestamp()) ->
                reject(record, NORMALISE, VENUE_CLOSED, "a quote of a venue that has closed");
            case Normalised.Accepted(Rate rate) -> observe(record, quote.base(), rate);
            case Normalised.Rejected(String reason) -> reject(record, NORMALISE, reason, "a quote that cannot be true");
        }
    }

    private void observe(Record<byte[], byte[]> record, String base, Rate read) {
        ContractState state = contracts.get(record.key());
        Listing known = state == null ? null : state.listing();
        LateObservation before = state == null ? null : state.lateObservation();
        LateObservation off = LateObservation.after(before, read.observedAtMs(), record.timestamp());
        Rate rate = read;
        if (off != null && off.isClock() && !off.equals(before) && clock.isNow(record.timestamp())) {
            metrics.count(Count.READER_BEHIND);
            rate = read.readAt(record.timestamp());
        }
        if (!Latest.replaces(known == null ? null : known.observedAtMs(), rate.observedAtMs())) {
            metrics.count(Count.SUPERSEDED);
            if (state != null && !Objects.equals(off, before)) {
                contracts.put(record.key(), new ContractState(known, state.restored(), off, state.shown()));
            }
            return;
        }
        byte[] row = Rate.CODEC.encode(rate);
        ListingFollower.Followed followed =
                listings.follow(known, state == null ? null : state.restored(), base, rate, record.timestamp());
        metrics.count(Count.ACCEPTED);
        contracts.put(record.key(), new ContractState(followed.listing(), null, off, true));
        // Whatever its age it is shown once, so that every accepted observation leaves its trace; ageing does the rest.
        var shown = new Record<>(record.key(), row, record.timestamp(), ROW_SCHEMA);
        context().forward(shown, RatesTopology.OBSERVATIONS);
        context().forward(shown, RatesTopology.LATEST);
        followed.events()
                .forEach(event -> context()
                        .forward(ContractEvents.record(event, record.timestamp()), RatesTopology.CONTRACT_EVENTS));
    }
}
