package io.fundingobservatory.gateway.edge;

/**
 * The state of a connection of the public port.
 *
 * <pre>
 *   accepted ──────▶ Serving ◀──── a second later ───┐
 *                     │  │ └───── refused (429) ───▶ Slowed
 *                     │  └── the client ends its input ──▶ InputEnded
 *                     │                                      │
 *                     └───────┐    ┌──── last response ──────┘
 *                             ▼    ▼
 *   over the bounds, stalled, idle, refused request, end of the process
 *                             ▼
 *                           Ending ── all is sent, 300 ms ──▶ closed
 * </pre>
 *
 * {@code Slowed} goes where {@code Serving} goes. A connection that is dropped closes in {@code Ending} at once.
 */
sealed interface ConnectionState {
    ConnectionState SERVING = new Serving();

    record Serving() implements ConnectionState {}

    /**
     * The client was refused: nothing is read for a while.
     *
     * @param untilNs when it is read again, as {@link System#nanoTime} tells it
     */
    record Slowed(long untilNs) implements ConnectionState {}

    /** The client has sent all it will send, and still gets its responses. */
    record InputEnded() implements ConnectionState {}

    /**
     * This side has ended the connection: what was written is sent, what comes is dropped, what is written now is not sent.
     *
     * @param inputEnded whether the client has ended its side: nothing unread is left that could reset the connection
     */
    record Ending(boolean inputEnded) implements ConnectionState {}
}
