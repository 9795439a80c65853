package io.fundingobservatory.gateway.edge;

/**
 * Why input of a connection is not handed on as a request. It takes the place of a request. The framework
 * therefore responds to it in turn, behind the earlier responses that are due, and closes the connection.
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
