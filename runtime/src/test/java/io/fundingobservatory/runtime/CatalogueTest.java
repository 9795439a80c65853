package io.fundingobservatory.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CatalogueTest {
    /** With acks=all and one copy in sync, what was acknowledged is gone with the one broker that has it. */
    @Test
    void writeNeedsTwoOfThreeCopies() {
        for (short copies = 1; copies <= 5; copies++) {
            String wanted = copies >= 3 ? "2" : null;
            TopicCreation.catalogue(copies)
                    .forEach(topic -> assertEquals(wanted, topic.configs().get("min.insync.replicas"), topic.name()));
        }
    }
}
