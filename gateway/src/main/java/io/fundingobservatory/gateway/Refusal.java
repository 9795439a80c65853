package io.fundingobservatory.gateway;

import java.util.Locale;

/** Why a request was refused or a connection ended by this side. */
enum Refusal {
    /** More was asked for than a client may. */
    VOLUME,
    /** Many different names, once each. */
    SWEEP,
    /** Not plainly one request without a body. */
    MALFORMED,
    /** The header did not arrive in time. */
    SLOW_HEADER,
    /** The client does not take in its answer. */
    STALLED,
    /** Nothing was asked for a long time. */
    IDLE,
    /** All connections are taken. */
    CONNECTIONS,
    /** Too many large answers are being sent. */
    MEMORY,
    /** The client holds as many connections as one may. */
    CLIENT_CONNECTIONS,
    /** The answer failed: a fault of this side. */
    FAILED;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
