package io.fundingobservatory.gateway.edge;

/**
 * Why what came over a connection is not handed on as a request. It takes the place of a request, so that the framework answers it
 * in its turn, behind the answers that are due before it, and closes the connection.
 */
public final class RefusedConnection extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final RefusalReason reason;

    RefusedConnection(RefusalReason reason) {
        super(reason.word(), null, false, false);
        this.reason = reason;
    }

    public RefusalReason reason() {
        return reason;
    }
}
