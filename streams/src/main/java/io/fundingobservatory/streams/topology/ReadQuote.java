package io.fundingobservatory.streams.topology;

import io.fundingobservatory.streams.core.RecordReading;
import io.fundingobservatory.topics.Quote;
import io.fundingobservatory.topics.Topic;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.FixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorContext;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;
import org.jspecify.annotations.Nullable;

/** Bytes become a quote, or a dead letter. */
final class ReadQuote implements FixedKeyProcessor<byte[], byte[], Step> {
    static final String NAME = "read-quote";

    private final Tally tally;

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private FixedKeyProcessorContext<byte[], Step> context;

    ReadQuote(Tally tally) {
        this.tally = tally;
    }

    @Override
    public void init(FixedKeyProcessorContext<byte[], Step> context) {
        this.context = context;
    }

    @Override
    public void process(FixedKeyRecord<byte[], byte[]> record) {
        tally.read();
        byte[] value = record.value();
        Header schema = record.headers().lastHeader(Topic.SCHEMA_HEADER);
        Step step = switch (RecordReading.read(
                Quote.CODEC, ReadQuote::ownKey, record.key(), value, schema == null ? null : schema.value())) {
            case RecordReading.Read<Quote>(var quote) -> new Step.Parsed(quote, Bytes.wrap(value));
            case RecordReading.Unreadable<Quote>(String reason, String detail) -> refuse(record, reason, detail);
        };
        context.forward(record.withValue(step));
    }

    private static String ownKey(Quote quote) {
        return quote.venue() + '|' + quote.symbol();
    }

    private Step refuse(FixedKeyRecord<byte[], byte[]> record, String reason, String detail) {
        tally.refused(NAME, reason);
        DeadLetter.address(record.headers(), NAME, reason, detail, context.recordMetadata());
        byte @Nullable [] value = record.value();
        return new Step.Refused(new DeadLetter(value == null ? null : Bytes.wrap(value)));
    }
}
