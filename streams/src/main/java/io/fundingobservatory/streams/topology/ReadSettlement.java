package io.fundingobservatory.streams.topology;

import io.fundingobservatory.streams.core.Normalised;
import io.fundingobservatory.streams.core.Normaliser;
import io.fundingobservatory.streams.core.RecordReading;
import io.fundingobservatory.topics.SettledRate;
import io.fundingobservatory.topics.Topic;
import java.time.Duration;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.FixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorContext;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;
import org.jspecify.annotations.Nullable;

/** Bytes become a settlement with the fraction that it charged, or a dead letter. */
final class ReadSettlement implements FixedKeyProcessor<byte[], byte[], Heard> {
    static final String NAME = "read-settlement";
    static final String IN_THE_FUTURE = "settled_in_the_future";
    static final String BEFORE_ALL_TIME = "settled_before_1970";

    private static final long CLOCKS_AGREE_WITHIN_MS = Duration.ofMinutes(5).toMillis();

    private final Tally tally;

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private FixedKeyProcessorContext<byte[], Heard> context;

    ReadSettlement(Tally tally) {
        this.tally = tally;
    }

    @Override
    public void init(FixedKeyProcessorContext<byte[], Heard> context) {
        this.context = context;
    }

    @Override
    public void process(FixedKeyRecord<byte[], byte[]> record) {
        byte[] value = record.value();
        Header schema = record.headers().lastHeader(Topic.SCHEMA_HEADER);
        Heard heard = switch (RecordReading.read(
                SettledRate.CODEC,
                ReadSettlement::ownKey,
                record.key(),
                value,
                schema == null ? null : schema.value())) {
            case RecordReading.Read<SettledRate>(var settled) -> paid(record, settled);
            case RecordReading.Unreadable<SettledRate>(String reason, String detail) -> refuse(record, reason, detail);
        };
        context.forward(record.withValue(heard));
    }

    private static String ownKey(SettledRate settled) {
        return settled.venue() + '|' + settled.symbol();
    }

    /** A payment to come would be believed until the real one replaces it, so it is not believed at all. */
    private Heard paid(FixedKeyRecord<byte[], byte[]> record, SettledRate settled) {
        if (settled.settledMs() > record.timestamp() + CLOCKS_AGREE_WITHIN_MS) {
            return refuse(record, IN_THE_FUTURE, "an exchange publishes what it has charged");
        }
        if (settled.settledMs() < 0) {
            return refuse(record, BEFORE_ALL_TIME, "not an instant");
        }
        return switch (Normaliser.settled(settled)) {
            case Normalised.Paid(var fundingRate) -> new Heard.Published(settled, fundingRate);
            case Normalised.Unclear(String reason) ->
                refuse(record, reason, "a settlement that cannot be told as a fraction");
        };
    }

    private Heard refuse(FixedKeyRecord<byte[], byte[]> record, String reason, String detail) {
        tally.refused(NAME, reason);
        DeadLetter.address(record.headers(), NAME, reason, detail, context.recordMetadata());
        byte @Nullable [] value = record.value();
        return new Heard.Refused(new DeadLetter(value == null ? null : Bytes.wrap(value)));
    }
}
