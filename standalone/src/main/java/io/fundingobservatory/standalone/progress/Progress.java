package io.fundingobservatory.standalone.progress;

import java.util.Collection;

/** Shows the progress of a start. */
public interface Progress extends AutoCloseable {
    /** What is being done or has been done, one sentence. */
    void step(String message);

    /** An exchange has come further, or has fallen back; the states of all of them, by identifier. */
    void exchange(ExchangeProgress changed, Collection<ExchangeProgress> all);

    /** Ends the progress: nothing more is reported. */
    @Override
    default void close() {}
}
