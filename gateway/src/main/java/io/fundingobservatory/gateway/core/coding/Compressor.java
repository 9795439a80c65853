package io.fundingobservatory.gateway.core.coding;

import java.util.List;

/** Compresses a whole body. */
public interface Compressor {
    byte[] compress(List<Segment> identity);
}
