package io.fundingobservatory.topics.json;

/**
 * A record holds a value that no reader would accept, so it is not written. Writers check fields first: this
 * is an internal error of the writer. The message names the field and the problem, never the value.
 */
public final class UnwritableRecord extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public UnwritableRecord(String message) {
        super(message);
    }
}
