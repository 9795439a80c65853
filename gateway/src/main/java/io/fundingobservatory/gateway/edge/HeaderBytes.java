package io.fundingobservatory.gateway.edge;

import io.netty.util.ByteProcessor;

/**
 * Reads the bytes of request headers as they pass. It stops behind each whole header, and at bytes that two
 * recipients may interpret in two ways. These are NUL, a CR or a LF without the other, and a folded line (RFC
 * 9112 §2.2, §5.2). No request has a body, so there is nothing but headers.
 */
final class HeaderBytes implements ByteProcessor {
    private byte last = '\n';
    private int length;
    private boolean inFields;
    private boolean complete;
    private boolean wrong;
    private boolean pending;

    /** Whether to read on; false behind a whole header, and at a byte that may not follow. */
    @Override
    public boolean process(byte value) {
        wrong = value == 0 || (last == '\r') != (value == '\n') || (length == 0 && (value == ' ' || value == '\t'));
        complete = false;
        if (value == '\n') {
            // An empty line ends the fields; before a request line it means nothing.
            complete = inFields && length == 0;
            inFields = length > 0;
            length = 0;
        } else if (value != '\r') {
            length++;
        }
        last = value;
        pending = !complete;
        return !wrong && !complete;
    }

    /** Whether the last byte read is invalid at its position. */
    boolean wrong() {
        return wrong;
    }

    /** Whether a header has begun and not ended; empty lines before it count. */
    boolean pending() {
        return pending;
    }
}
