package io.fundingobservatory.topics.json;

/**
 * A record holds what no reader would accept, so it is not written. Whoever makes a record checks its fields first: this is a fault of
 * the writer's code. The message names the field and what is wrong with it, never the value.
 */
public final class UnwritableRecord extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public UnwritableRecord(String message) {
        super(message);
    }
}
