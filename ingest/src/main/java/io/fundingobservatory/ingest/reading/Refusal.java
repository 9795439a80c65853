package io.fundingobservatory.ingest.reading;

/**
 * An exchange's own word, inside an answer that looks like a success, that it does not answer.
 *
 * @param reason the exchange's code and message, one line
 * @param throttled whether it says that we ask too often
 */
public record Refusal(String reason, boolean throttled) {
    public Refusal {
        String line = reason.replaceAll("\\p{Cntrl}+", " ").strip();
        reason = line.length() > 160 ? line.substring(0, 160) : line;
    }
}
