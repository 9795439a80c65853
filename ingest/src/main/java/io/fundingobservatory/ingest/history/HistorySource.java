package io.fundingobservatory.ingest.history;

import io.fundingobservatory.ingest.fetching.Call;
import io.fundingobservatory.ingest.pacing.ExchangeGate.Admission;
import java.time.Duration;

/** Asks for settled rates, out of the share of each limit that is history's. */
@FunctionalInterface
public interface HistorySource {
    /**
     * One request.
     *
     * @param address the declared name of the request
     * @param mayWait how long it may wait for room
     */
    Admission history(Call call, String address, Duration mayWait) throws InterruptedException;
}
