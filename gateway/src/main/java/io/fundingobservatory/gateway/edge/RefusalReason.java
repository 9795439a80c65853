package io.fundingobservatory.gateway.edge;

import java.util.Locale;

/** Why a request was refused or a connection ended by this side. */
public enum RefusalReason {
    /** More requests than a client may send. */
    VOLUME,
    /** Many different names, once each. */
    SWEEP,
    /** Not plainly one request without a body. */
    MALFORMED,
    /** The header did not arrive in time. */
    SLOW_HEADER,
    /** The client takes in nothing of its response. */
    STALLED,
    /** The client takes in its response more slowly than the least rate. */
    SLOW_READER,
    /** No request for a long time. */
    IDLE,
    /** All connections are taken. */
    CONNECTIONS,
    /** The client, or its network, holds as many connections as one may. */
    CLIENT_CONNECTIONS,
    /** Too many large responses are being sent. */
    MEMORY,
    /** Too much is being sent to this client, or too many of its requests are being rendered. */
    CLIENT_MEMORY,
    /** The response failed: a fault of this side. */
    FAILED;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
