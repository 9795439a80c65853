package io.fundingobservatory.streams.topology;

import io.fundingobservatory.streams.core.Normalised;
import io.fundingobservatory.streams.core.Normaliser;
import org.apache.kafka.streams.processor.api.FixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorContext;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;

/** A quote becomes a rate per 8 hours, or a dead letter. What is refused already passes through. */
final class Normalise implements FixedKeyProcessor<byte[], Step, Step> {
    static final String NAME = "normalise";

    private final Tally tally;

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private FixedKeyProcessorContext<byte[], Step> context;

    Normalise(Tally tally) {
        this.tally = tally;
    }

    @Override
    public void init(FixedKeyProcessorContext<byte[], Step> context) {
        this.context = context;
    }

    @Override
    public void process(FixedKeyRecord<byte[], Step> record) {
        context.forward(
                record.value() instanceof Step.Parsed parsed ? record.withValue(normalise(record, parsed)) : record);
    }

    /** The record's time is the broker's own: a clock that neither the reader of the exchange nor this process can set wrong. */
    private Step normalise(FixedKeyRecord<byte[], Step> record, Step.Parsed parsed) {
        return switch (Normaliser.normalise(parsed.quote(), record.timestamp())) {
            case Normalised.Accepted(var rate) -> new Step.Normal(parsed.quote().base(), rate);
            case Normalised.Refused(String reason) -> {
                tally.refused(NAME, reason);
                DeadLetter.address(
                        record.headers(), NAME, reason, "a quote that cannot be true", context.recordMetadata());
                yield new Step.Refused(new DeadLetter(parsed.original()));
            }
        };
    }
}
