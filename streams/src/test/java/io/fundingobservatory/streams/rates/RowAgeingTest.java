package io.fundingobservatory.streams.rates;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.streams.listings.Identity;
import io.fundingobservatory.streams.listings.Listing;
import io.fundingobservatory.streams.listings.Observation;
import io.fundingobservatory.streams.processing.TaskTime;
import io.fundingobservatory.streams.topology.CountedMetrics;
import io.fundingobservatory.topics.OpenVenues;
import io.fundingobservatory.topics.records.ContractEvent;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowAgeingTest {
    private static final long T0 = 1_790_000_000_000L;
    private static final BigDecimal EIGHT = BigDecimal.valueOf(8);

    @TempDir
    Path directory;

    /** Also a contract that nobody reads any more: the pair tables may have lost theirs. */
    @Test
    void firstTickReportsEveryContractWithItsPrice() throws Exception {
        var config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "ageing");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        var context = new MockProcessorContext<byte[], byte[]>(config, new TaskId(0, 0), directory.toFile());
        StateStore store = ContractState.builder().withLoggingDisabled().build();
        store.init(context.getStateStoreContext(), store);
        context.addStateStore(store);
        KeyValueStore<byte[], ContractState> contracts = context.getStateStore(ContractState.STORE);
        contracts.put("okx|A".getBytes(UTF_8), contract("A", T0 - 86_400_000, false));
        contracts.put("okx|B".getBytes(UTF_8), contract("B", T0, true));
        var time = new TaskTime(() -> 0);
        var rows = new RowAgeing(new CountedMetrics(), time, context, contracts, OpenVenues.LISTED);
        rows.run();
        assertEquals(List.of(), context.forwarded(), "the time is not known yet");
        time.arrived(T0 + 5_000);
        rows.run();
        assertEquals(2, context.forwarded().size());
        for (var forward : context.forwarded()) {
            assertEquals(RatesTopology.CONTRACT_EVENTS, forward.childName().orElseThrow());
            ContractEvent event =
                    ContractEvent.CODEC.decode((byte[]) forward.record().value());
            assertEquals(ContractEvent.Kind.LISTED, event.kind());
            assertEquals(event.symbol(), event.asset());
            assertEquals(new BigDecimal("1.5"), event.coinPrice());
            assertEquals(EIGHT, event.fundingIntervalH());
            assertEquals(event.asset().equals("A") ? T0 - 86_400_000 : T0, event.observedAtMs(), "as published last");
        }
        rows.run();
        assertEquals(2, context.forwarded().size(), "once");
    }

    private static ContractState contract(String asset, long atMs, boolean shown) {
        var observation = new Observation(atMs, RateKind.ESTIMATE, null, null, EIGHT, null, new BigDecimal("1.5"));
        var identity = new Identity(asset, asset, ContractType.LINEAR, BigDecimal.ONE, "USDT");
        return new ContractState(Listing.first(0, Long.MIN_VALUE, identity, observation, 0, atMs), shown);
    }
}
