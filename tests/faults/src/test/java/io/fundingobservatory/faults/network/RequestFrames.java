package io.fundingobservatory.faults.network;

import java.util.function.IntPredicate;

/** Finds Kafka requests in a stream of bytes: four bytes of length, then two of the request's kind. */
final class RequestFrames {
    private static final int HEAD = 6;

    private final byte[] head = new byte[HEAD];
    private int inHead;
    private long restOfFrame;

    /** Whether one of the requests that begin in these bytes is wanted; the first one that is ends the search. */
    boolean contains(byte[] bytes, IntPredicate wanted) {
        boolean found = false;
        int at = 0;
        while (at < bytes.length) {
            if (restOfFrame > 0) {
                int skipped = (int) Math.min(restOfFrame, bytes.length - at);
                restOfFrame -= skipped;
                at += skipped;
                continue;
            }
            head[inHead++] = bytes[at++];
            if (inHead == HEAD) {
                inHead = 0;
                restOfFrame = number(0, 4) - 2L;
                found = wanted.test((int) number(4, 6)) || found;
            }
        }
        return found;
    }

    private long number(int from, int to) {
        long value = 0;
        for (int i = from; i < to; i++) {
            value = value << 8 | (head[i] & 0xff);
        }
        return value;
    }
}
