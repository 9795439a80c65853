package io.fundingobservatory.gateway;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DirectBytesTest {
    private static final int MB = 1 << 20;

    private final DirectBytes bytes = new DirectBytes();

    private static List<byte[]> answer(int length) {
        var first = new byte[length / 3];
        var second = new byte[length - first.length];
        new Random(length).nextBytes(first);
        new Random(-length).nextBytes(second);
        return List.of(first, second);
    }

    @Test
    void oneAnswerIsHeldOnceForAllWhoAreSentIt() {
        List<byte[]> answer = answer(3 * MB);
        ByteBuf one = bytes.of(answer);
        ByteBuf other = bytes.of(answer);
        assertTrue(one.isDirect());
        assertEquals(one.memoryAddress(), other.memoryAddress());
        byte[] sent = ByteBufUtil.getBytes(other);
        assertEquals(3 * MB, sent.length);
        assertArrayEquals(answer.getFirst(), Arrays.copyOf(sent, MB));
        one.release();
        other.release();
    }

    @Test
    void whatIsBeingSentIsBoundedAndSmallAnswersAlwaysGo() {
        var sending = new ArrayList<ByteBuf>();
        ByteBuf next;
        while ((next = bytes.of(answer(8 * MB))) != null) {
            sending.add(next);
            assertTrue(sending.size() <= 16, "128 MB at most");
        }
        assertEquals(16, sending.size());
        assertNull(bytes.of(answer(3 * MB)));
        ByteBuf small = bytes.of(answer(MB));
        assertNotNull(small, "a packed list is sent all the same");
        small.release();
        sending.forEach(ByteBuf::release);
        // What nobody is sent any more is given back as soon as something else is asked for.
        for (int i = 0; i < 50; i++) {
            ByteBuf again = bytes.of(answer(MB + 8));
            assertNotNull(again);
            again.release();
        }
        ByteBuf large = bytes.of(answer(8 * MB));
        assertNotNull(large);
        large.release();
    }

    @Test
    void fewBytesAreNotHeld() {
        List<byte[]> answer = answer(100);
        ByteBuf wrapped = bytes.of(answer);
        assertEquals(100, wrapped.readableBytes());
        assertFalse(wrapped.isDirect());
        wrapped.release();
    }
}
