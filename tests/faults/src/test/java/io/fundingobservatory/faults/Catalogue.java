package io.fundingobservatory.faults;

import static io.fundingobservatory.faults.scenarios.Fault.own;
import static io.fundingobservatory.faults.scenarios.Fault.shared;

import io.fundingobservatory.faults.scenarios.BrokerFaults;
import io.fundingobservatory.faults.scenarios.DataFaults;
import io.fundingobservatory.faults.scenarios.DiskFull;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.NetworkFaults;
import io.fundingobservatory.faults.scenarios.Poison;
import io.fundingobservatory.faults.scenarios.ServiceFaults;
import io.fundingobservatory.faults.scenarios.StateLost;
import io.fundingobservatory.faults.scenarios.StreamsFaults;
import java.util.List;

/** Every fault that can be played, in the order in which those of one installation share it. */
public final class Catalogue {
    public static final List<Fault> ALL = List.of(
            shared("F0", "streams stopped in order and started again", 3, 1, 1, StreamsFaults::stopped),
            shared("F1", "streams SIGKILL mid-transaction", 5, 1, 5, StreamsFaults::killed),
            shared("F2", "streams SIGKILL while restoring", 8, 1, 3, StreamsFaults::killedRestoring),
            shared("F5", "gateway SIGKILL under load", 3, 1, 5, ServiceFaults::gatewayKilled),
            shared("F11", "cut between EndTxn and its response", 10, 1, 5, NetworkFaults::responseCutOff),
            shared("F16", "poison records among quotes", 5, 1, 1, Poison::play),
            shared("F10", "500 ms and 1 Mbit/s before streams, 30 s", 60, 1, 1, NetworkFaults::slow),
            shared("F12", "black hole before streams, 90 s", 45, 1, 1, NetworkFaults::blackHole),
            shared("F14", "state directory cut, zeroed or emptied", 10, 1, 3, DataFaults::stateDamaged),
            shared("F20", "offsets reset to the beginning", 30, 1, 1, DataFaults::offsetsReset),
            shared("F27", "streams with 28 MB of heap or 128 descriptors", 10, 1, 2, StreamsFaults::squeezed),
            shared("F26", "two streams with the same static id", 30, 1, 1, StreamsFaults::sameIdTwice),
            shared("F3C", "streams SIGSTOP amid a commit, 8 to 12 s", 10, 1, 1, StreamsFaults::frozenInCommit),
            shared("F3", "streams SIGSTOP 20 s, another takes over", 15, 1, 1, StreamsFaults::frozen),
            shared("F6", "1 of 3 brokers SIGKILL", 15, 3, 2, BrokerFaults::oneKilled),
            shared("F7", "2 of 3 brokers away for 60 s", 30, 3, 1, BrokerFaults::mostKilled),
            shared("F8", "all 3 brokers SIGKILL and back", 60, 3, 1, BrokerFaults::allKilled),
            shared("F9", "rolling restart of 3 brokers", 30, 3, 1, BrokerFaults::restarted),
            // 15 s for the takeover, and one interval of 5 s.
            own("F4", "ingest SIGKILL, another takes its exchanges", 20, ServiceFaults::ingestKilled),
            own("F21", "clock +1 h, −1 h, +30 d on one process", 15, ServiceFaults::clockMoved),
            own("F15", "disk full for state or for a broker's log", 30, DiskFull::play),
            own("F17", "input topic deleted, created again empty", 60, DataFaults::topicGone),
            own("F18", "state of pairs deleted, reset, two instances", 15 * 60, StateLost::play));

    private Catalogue() {}

    /** The fault of a number. */
    public static Fault of(String id) {
        return ALL.stream().filter(fault -> fault.id().equals(id)).findFirst().orElseThrow();
    }
}
