package io.fundingobservatory.gateway.core.coding;

import java.util.List;

/**
 * A content coding whose output for the parts of a body can be joined: a part that did not change is not compressed again. A body is
 * {@link #opening()}, any number of segments, {@link #closing}; it decodes to the segments' identity bytes in their order.
 */
public interface SegmentCompressor {
    /** What a body begins with. */
    byte[] opening();

    /** One part, compressed without reference to any other. */
    byte[] segment(byte[] identity);

    /**
     * What a body ends with.
     *
     * @param identity the bytes of all segments, in order
     */
    byte[] closing(List<byte[]> identity);
}
