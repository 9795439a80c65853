package io.fundingobservatory.streams.formats;

/**
 * An event on an internal topic, with the input partition that caused it. Time is derived from the brokers'
 * stamps of several partitions.
 *
 * @param input the partition of an input topic, those of {@code settlements.raw} counted on from those of
 *     {@code quotes.raw}; {@link #UNTIMED} when the event's stamp gives no time
 */
public record Routed<T>(int input, T event) {
    /** Of an event that was restored from the published ledger: its stamp is old. */
    public static final int UNTIMED = -1;
}
