package io.fundingobservatory.topics.json;

/** A record's bytes do not match its schema. The message names the field and what is wrong with it, never the value. */
public final class MalformedRecord extends Exception {
    private static final long serialVersionUID = 1L;

    private final String reason;

    /** Names the field and what is wrong with it. */
    public MalformedRecord(String reason) {
        super(reason);
        this.reason = reason;
    }

    /** Returns what is wrong, which is also the message. */
    public String reason() {
        return reason;
    }
}
