package io.fundingobservatory.gateway.core.coding;

import java.util.List;

/** Compresses a whole body. */
public interface Compressor {
    /** One body of these segments. */
    byte[] compress(List<Segment> identity);
}
