package io.fundingobservatory.runtime;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fundingobservatory.topics.Topics;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class CompactedTopicTest {
    /** Taken for empty, a ban would be forgotten, and another source's values not seen. */
    @Test
    void whatCannotBeReadIsNotEmpty() {
        KafkaAccess closed = KafkaAccess.at("127.0.0.1:1");
        assertThrows(KafkaException.class, () -> CompactedTopic.read(closed, Topics.VENUES_STATUS));
    }
}
