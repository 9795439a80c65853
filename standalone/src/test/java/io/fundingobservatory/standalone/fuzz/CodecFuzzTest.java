package io.fundingobservatory.standalone.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.json.MalformedRecord;
import org.junit.jupiter.api.Tag;

/** Bytes are a record or none, of each kind; what is a record can be written, and is the same when it is read again. */
@Tag("fuzz")
class CodecFuzzTest {
    @FuzzTest(maxDuration = "1m")
    void whatIsReadCanBeWritten(byte[] bytes) throws MalformedRecord {
        for (Topic<?> topic : Topics.typed()) {
            again(topic.codec(), bytes);
        }
    }

    private static <T> void again(JsonCodec<T> codec, byte[] bytes) throws MalformedRecord {
        T record;
        try {
            record = codec.decode(bytes);
        } catch (MalformedRecord e) {
            return;
        }
        byte[] written = codec.encode(record);
        assertArrayEquals(written, codec.encode(codec.decode(written)));
    }
}
