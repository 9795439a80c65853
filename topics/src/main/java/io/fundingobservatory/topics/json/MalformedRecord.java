package io.fundingobservatory.topics.json;

/** A record's bytes are not what its schema says. The message names the field and what is wrong with it, never the value. */
public final class MalformedRecord extends Exception {
    private static final long serialVersionUID = 1L;

    public MalformedRecord(String message) {
        super(message);
    }
}
