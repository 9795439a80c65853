package io.fundingobservatory.faults;

import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.brokers.AllBrokersKilled;
import io.fundingobservatory.faults.scenarios.brokers.BlackHole;
import io.fundingobservatory.faults.scenarios.brokers.BrokerKilled;
import io.fundingobservatory.faults.scenarios.brokers.BrokersRestarted;
import io.fundingobservatory.faults.scenarios.brokers.DiskFull;
import io.fundingobservatory.faults.scenarios.brokers.MostBrokersKilled;
import io.fundingobservatory.faults.scenarios.brokers.ResponseCutOff;
import io.fundingobservatory.faults.scenarios.brokers.SlowNetwork;
import io.fundingobservatory.faults.scenarios.data.OffsetsReset;
import io.fundingobservatory.faults.scenarios.data.Poison;
import io.fundingobservatory.faults.scenarios.data.StateDamaged;
import io.fundingobservatory.faults.scenarios.data.StateLost;
import io.fundingobservatory.faults.scenarios.data.TopicGone;
import io.fundingobservatory.faults.scenarios.services.ClockMoved;
import io.fundingobservatory.faults.scenarios.services.GatewayKilled;
import io.fundingobservatory.faults.scenarios.services.IngestKilled;
import io.fundingobservatory.faults.scenarios.services.SameIdTwice;
import io.fundingobservatory.faults.scenarios.services.Squeezed;
import io.fundingobservatory.faults.scenarios.services.StreamsFrozen;
import io.fundingobservatory.faults.scenarios.services.StreamsFrozenInCommit;
import io.fundingobservatory.faults.scenarios.services.StreamsKilled;
import io.fundingobservatory.faults.scenarios.services.StreamsKilledRestoring;
import io.fundingobservatory.faults.scenarios.services.StreamsStopped;
import java.util.List;

/** Every fault that can be played, in the order in which those of one layout share an installation. */
public final class Catalogue {
    public static final List<Fault> ALL = List.of(
            new StreamsStopped(),
            new StreamsKilled(),
            new StreamsKilledRestoring(),
            new GatewayKilled(),
            new ResponseCutOff(),
            new Poison(),
            new SlowNetwork(),
            new BlackHole(),
            new StateDamaged(),
            new OffsetsReset(),
            new Squeezed(),
            new SameIdTwice(),
            new StreamsFrozenInCommit(),
            new StreamsFrozen(),
            new BrokerKilled(),
            new MostBrokersKilled(),
            new AllBrokersKilled(),
            new BrokersRestarted(),
            new IngestKilled(),
            new ClockMoved(),
            new DiskFull(),
            new TopicGone(),
            new StateLost());

    private Catalogue() {}

    /** The fault of a number. */
    public static Fault of(String id) {
        return ALL.stream().filter(fault -> fault.id().equals(id)).findFirst().orElseThrow();
    }
}
