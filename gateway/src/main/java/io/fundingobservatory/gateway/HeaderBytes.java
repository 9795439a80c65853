package io.fundingobservatory.gateway;

import io.netty.util.ByteProcessor;

/**
 * Reads along the bytes of request headers and stops at what two readers may understand in two ways: NUL, a CR or a LF without
 * the other, a folded line (RFC 9112 §2.2, §5.2). No request has a body, so there is nothing but headers.
 */
final class HeaderBytes implements ByteProcessor {
    private byte last = '\n';
    private int length;
    private boolean inFields;
    private int complete;

    /** Whether the byte may follow; false ends the reading. */
    @Override
    public boolean process(byte value) {
        boolean right =
                value != 0 && (last == '\r') == (value == '\n') && (length > 0 || (value != ' ' && value != '\t'));
        if (value == '\n') {
            // An empty line ends the fields; before a request line it means nothing.
            complete += inFields && length == 0 ? 1 : 0;
            inFields = length > 0;
            length = 0;
        } else if (value != '\r') {
            length++;
        }
        last = value;
        return right;
    }

    /** Whether a header has begun and not ended. */
    boolean pending() {
        return inFields || length > 0;
    }

    /** Headers that have ended. */
    int complete() {
        return complete;
    }
}
