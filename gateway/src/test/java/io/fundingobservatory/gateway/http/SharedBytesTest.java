package io.fundingobservatory.gateway.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.coding.Segment;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshots;
import io.fundingobservatory.gateway.settings.StandardPort;
import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.testbed.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SharedBytesTest {
    private static final int MB = 1 << 20;
    private static final Address ONE = Address.parse("192.0.2.1").orElseThrow();
    private static final Address OTHER = Address.parse("192.0.2.2").orElseThrow();

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final SharedBytes bytes = new SharedBytes(StandardPort.SETTINGS, meters);

    private static List<Segment> response(int length) {
        var first = new byte[length / 3];
        var second = new byte[length - first.length];
        new Random(length).nextBytes(first);
        new Random(-length).nextBytes(second);
        return List.of(Segment.of(first), Segment.of(second));
    }

    private static Address client(int number) {
        return new Address(4, 0, 0x0a000000L + number);
    }

    @Test
    void holdsOneBodyOnceForAllClients() {
        List<Segment> response = response(3 * MB / 2);
        ByteBuf one = bytes.sent(new PreparedBody(response, ONE));
        ByteBuf other = bytes.sent(new PreparedBody(response, OTHER));
        assertTrue(one.isDirect());
        assertEquals(one.memoryAddress(), other.memoryAddress());
        byte[] sent = ByteBufUtil.getBytes(other);
        assertEquals(3 * MB / 2, sent.length);
        assertArrayEquals(response.getFirst().joined(), Arrays.copyOf(sent, MB / 2));
        assertEquals(3 * MB / 2, bytes.underWay(ONE));
        one.release();
        assertEquals(0, bytes.underWay(ONE), "taken in");
        assertEquals(3 * MB / 2, bytes.underWay(OTHER));
        other.release();
    }

    @Test
    void limitsUnreadBytesOfEachClient() {
        List<Segment> response = response(6 * MB);
        ByteBuf first = bytes.sent(new PreparedBody(response, ONE));
        ByteBuf second = bytes.sent(new PreparedBody(response, ONE));
        assertEquals(SharedBytes.Room.FULL_FOR_CLIENT, bytes.room(new PreparedBody(response, ONE)), "18 of 16 MB");
        assertEquals(SharedBytes.Room.YES, bytes.room(new PreparedBody(response(MB), ONE)));
        assertEquals(SharedBytes.Room.YES, bytes.room(new PreparedBody(response, OTHER)));
        // A piece of it that is still being sent keeps it.
        ByteBuf rest = second.readRetainedSlice(10);
        second.release();
        assertEquals(12 * MB, bytes.underWay(ONE));
        rest.release();
        assertEquals(SharedBytes.Room.YES, bytes.room(new PreparedBody(response, ONE)));
        first.release();
        assertEquals(0, bytes.underWay(ONE));
    }

    @Test
    void boundsMemoryOfAllAndKeepsPackedList() {
        var sending = new ArrayList<ByteBuf>();
        for (int i = 0; bytes.room(new PreparedBody(response(7 * MB + i), client(i))) == SharedBytes.Room.YES; i++) {
            sending.add(bytes.sent(new PreparedBody(response(7 * MB + i), client(i))));
            assertTrue(sending.size() <= 9, "64 MB of 96 for large ones");
        }
        assertEquals(9, sending.size());
        assertEquals(SharedBytes.Room.FULL, bytes.room(new PreparedBody(response(3 * MB), OTHER)));
        var packed = new PreparedBody(response(MB), OTHER);
        assertEquals(SharedBytes.Room.YES, bytes.room(packed), "a packed list is sent all the same");
        sending.forEach(ByteBuf::release);
    }

    /** 240 MB of responses within one snapshot, all of them taken in: nobody else is refused. */
    @Test
    void bodiesTakenInMakeRoomForOthers() {
        for (int i = 0; i < 40; i++) {
            for (int length : List.of(MB + i, 5 * MB + i)) {
                var body = new PreparedBody(response(length), client(i));
                assertEquals(SharedBytes.Room.YES, bytes.room(body), "response " + i);
                ByteBuf sent = bytes.sent(body);
                assertEquals(length, sent.readableBytes());
                sent.release();
            }
        }
        assertTrue(inMemory() <= 96 * MB, inMemory() + " bytes");
    }

    /** A response that no snapshot keeps is on the heap no longer than it takes to copy it. */
    @Test
    void bodiesBeingSentAreNotOnHeap() {
        var sending = new ArrayList<ByteBuf>();
        WeakReference<List<Segment>> response = sent(5 * MB, sending);
        Await.until("the response has left the heap", () -> {
            System.gc();
            return response.get() == null;
        });
        assertEquals(5 * MB, bytes.underWay(ONE));
        sending.forEach(ByteBuf::release);
        // The collector tells a moment later what it has taken.
        Await.until(
                "its buffer has gone as well",
                () -> bytes.room(new PreparedBody(response(MB), ONE)) == SharedBytes.Room.YES && inMemory() == 0);
    }

    private WeakReference<List<Segment>> sent(int length, List<ByteBuf> sending) {
        List<Segment> response = response(length);
        sending.add(bytes.sent(new PreparedBody(response, ONE)));
        return new WeakReference<>(response);
    }

    private long inMemory() {
        return (long) meters.get("observatory.gateway.answers.bytes").gauge().value();
    }

    private static Snapshot snapshot(long atMs) {
        return Snapshots.of(atMs, atMs + 5_000, Map.of(), Map.of(), Map.of(), null);
    }

    /**
     * 40 snapshots, each with one new segment of 48, and for each a client that has not read its 12 MB. The
     * clients pin versions of segments.
     */
    @Test
    void slowReadersShareUnchangedSegments() {
        var list = new ArrayList<Segment>();
        for (int i = 0; i < 48; i++) {
            list.add(Segment.shared(List.of(new byte[MB / 4])));
        }
        var sending = new ArrayList<ByteBuf>();
        for (int i = 0; i < 40; i++) {
            bytes.serving(snapshot(i));
            byte[] changed = new byte[MB / 4];
            changed[0] = (byte) i;
            list.set(i, Segment.shared(List.of(changed)));
            var body = new PreparedBody(List.copyOf(list), client(i));
            assertEquals(SharedBytes.Room.YES, bytes.room(body), "reader " + i);
            ByteBuf sent = bytes.sent(body);
            assertEquals(12 * MB, sent.readableBytes());
            assertEquals((byte) i, sent.getByte(i * MB / 4));
            sending.add(sent);
        }
        assertEquals((48L + 39) * MB / 4, inMemory());
        sending.forEach(ByteBuf::release);
        bytes.serving(snapshot(40));
        bytes.serving(snapshot(41));
        assertEquals(0, inMemory(), "two snapshots without a request");
    }

    /** Two event loops around the moment in which a snapshot is published. */
    @Test
    void formerSnapshotReleasesNothing() {
        Snapshot first = snapshot(0);
        Snapshot second = snapshot(5_000);
        bytes.serving(first);
        bytes.sent(new PreparedBody(response(MB), ONE)).release();
        for (Snapshot seen : List.of(second, first, second, first)) {
            bytes.serving(seen);
        }
        assertEquals(MB, inMemory(), "of the snapshot before");
        bytes.serving(snapshot(10_000));
        assertEquals(0, inMemory(), "two snapshots without a request");
    }

    @Test
    void widerIpv6NetworksHaveLargerBounds() {
        List<Segment> response = response(7 * MB);
        var sending = new ArrayList<ByteBuf>();
        int sent = 0;
        for (int host = 0; host < 5; host++) {
            var body = new PreparedBody(
                    response, Address.parse("2001:db8::" + host).orElseThrow());
            if (bytes.room(body) == SharedBytes.Room.YES) {
                sending.add(bytes.sent(body));
                sent++;
            }
        }
        assertEquals(2, sent, "two of 7 MB for a /64");
        for (int subnet = 1; subnet < 256; subnet++) {
            String address = "2001:db8:0:" + Integer.toHexString(subnet) + "::1";
            var body = new PreparedBody(response, Address.parse(address).orElseThrow());
            if (bytes.room(body) == SharedBytes.Room.YES) {
                sending.add(bytes.sent(body));
                sent++;
            }
        }
        assertEquals(9, sent, "64 MB for a /56");
        var other = new PreparedBody(response, Address.parse("2001:db8:1::1").orElseThrow());
        assertEquals(SharedBytes.Room.YES, bytes.room(other));
        sending.forEach(ByteBuf::release);
        assertEquals(0, bytes.underWay(Address.parse("2001:db8::1").orElseThrow()));
    }

    /** 3 GB are more than one buffer holds. */
    @Test
    void whatCannotBeAllocatedIsNotCounted() {
        Segment gigabyte = Segment.shared(Collections.nCopies(1_024, new byte[MB]));
        var body = new PreparedBody(List.of(gigabyte, gigabyte, gigabyte), ONE);
        assertThrows(ArithmeticException.class, () -> bytes.sent(body));
        assertEquals(0, bytes.underWay(ONE));
    }

    @Test
    void countsFewBytesWithoutSharing() {
        ByteBuf wrapped = bytes.sent(new PreparedBody(response(100), ONE));
        assertEquals(100, wrapped.readableBytes());
        assertFalse(wrapped.isDirect());
        assertEquals(100, bytes.underWay(ONE));
        wrapped.release();
        assertEquals(0, bytes.underWay(ONE));
    }
}
