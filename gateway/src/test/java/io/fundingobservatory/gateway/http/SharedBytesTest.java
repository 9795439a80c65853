package io.fundingobservatory.gateway.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.settings.StandardPort;
import io.fundingobservatory.gateway.traffic.Address;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SharedBytesTest {
    private static final int MB = 1 << 20;
    private static final Address ONE = Address.parse("192.0.2.1").orElseThrow();
    private static final Address OTHER = Address.parse("192.0.2.2").orElseThrow();

    private final SharedBytes bytes = new SharedBytes(StandardPort.SETTINGS, new SimpleMeterRegistry());

    private static List<byte[]> answer(int length) {
        var first = new byte[length / 3];
        var second = new byte[length - first.length];
        new Random(length).nextBytes(first);
        new Random(-length).nextBytes(second);
        return List.of(first, second);
    }

    private static Address client(int number) {
        return new Address(4, 0, 0x0a000000L + number);
    }

    @Test
    void oneAnswerIsHeldOnceForAllWhoAreSentIt() {
        List<byte[]> answer = answer(3 * MB);
        ByteBuf one = bytes.sent(new PreparedBody(answer, ONE));
        ByteBuf other = bytes.sent(new PreparedBody(answer, OTHER));
        assertTrue(one.isDirect());
        assertEquals(one.memoryAddress(), other.memoryAddress());
        byte[] sent = ByteBufUtil.getBytes(other);
        assertEquals(3 * MB, sent.length);
        assertArrayEquals(answer.getFirst(), Arrays.copyOf(sent, MB));
        assertEquals(3 * MB, bytes.underWay(ONE));
        one.release();
        assertEquals(0, bytes.underWay(ONE), "taken in");
        assertEquals(3 * MB, bytes.underWay(OTHER));
        other.release();
    }

    @Test
    void whatIsOnItsWayToOneClientIsBoundedForThatClientAlone() {
        List<byte[]> answer = answer(6 * MB);
        ByteBuf first = bytes.sent(new PreparedBody(answer, ONE));
        ByteBuf second = bytes.sent(new PreparedBody(answer, ONE));
        assertEquals(SharedBytes.Room.FULL_FOR_CLIENT, bytes.room(new PreparedBody(answer, ONE)), "18 of 16 MB");
        assertEquals(SharedBytes.Room.YES, bytes.room(new PreparedBody(answer(MB), ONE)));
        assertEquals(SharedBytes.Room.YES, bytes.room(new PreparedBody(answer, OTHER)));
        // A piece of it that is still being sent keeps it.
        ByteBuf rest = second.readRetainedSlice(10);
        second.release();
        assertEquals(12 * MB, bytes.underWay(ONE));
        rest.release();
        assertEquals(SharedBytes.Room.YES, bytes.room(new PreparedBody(answer, ONE)));
        first.release();
        assertEquals(0, bytes.underWay(ONE));
    }

    @Test
    void theMemoryForAllIsBoundedAndThePackedListFits() {
        var sending = new ArrayList<ByteBuf>();
        for (int i = 0; bytes.room(new PreparedBody(answer(7 * MB + i), client(i))) == SharedBytes.Room.YES; i++) {
            sending.add(bytes.sent(new PreparedBody(answer(7 * MB + i), client(i))));
            assertTrue(sending.size() <= 9, "64 MB of 96 for large ones");
        }
        assertEquals(9, sending.size());
        assertEquals(SharedBytes.Room.FULL, bytes.room(new PreparedBody(answer(3 * MB), OTHER)));
        var packed = new PreparedBody(answer(MB), OTHER);
        assertEquals(SharedBytes.Room.YES, bytes.room(packed), "a packed list is sent all the same");
        sending.forEach(ByteBuf::release);
    }

    @Test
    void fewBytesAreNotHeldButCounted() {
        ByteBuf wrapped = bytes.sent(new PreparedBody(answer(100), ONE));
        assertEquals(100, wrapped.readableBytes());
        assertFalse(wrapped.isDirect());
        assertEquals(100, bytes.underWay(ONE));
        wrapped.release();
        assertEquals(0, bytes.underWay(ONE));
    }
}
