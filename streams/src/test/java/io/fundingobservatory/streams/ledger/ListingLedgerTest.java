package io.fundingobservatory.streams.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.streams.carry.Listing;
import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.formats.ContractState;
import io.fundingobservatory.streams.formats.PairEvent;
import io.fundingobservatory.streams.formats.PairEventFormat;
import io.fundingobservatory.streams.topology.CountedMetrics;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A release that renames an asset starts while a payment comes due: the payment is in the table of the new name. */
class ListingLedgerTest {
    private static final long DUE = 1_790_006_400_000L;

    @TempDir
    Path directory;

    @Test
    void whatComesDueInTheReadingOfARenamingIsOfTheNewAsset() {
        var config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "renaming");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        var context = new MockProcessorContext<byte[], byte[]>(config, new TaskId(0, 0), directory.toFile());
        for (StoreBuilder<?> builder : List.of(Stores.contracts(), Stores.payments())) {
            StateStore store =
                    builder.withLoggingDisabled().withCachingDisabled().build();
            store.init(context.getStateStoreContext(), store);
            context.addStateStore(store);
        }
        KeyValueStore<byte[], ContractState> states = context.getStateStore(Stores.CONTRACTS);
        var ledger = new ContractLedger(
                new CountedMetrics(), new BrokerClock(() -> DUE), context, context.getStateStore(Stores.PAYMENTS));
        var listings = new ListingLedger(ledger, new ContractStates(states));

        Listing first = follow(ledger, listings, null, rate("OLDNAME", DUE - 30_000, DUE));
        follow(ledger, listings, first, rate("XYZ", DUE + 30_000, DUE + 28_800_000));

        var assets = new TreeSet<String>();
        for (var forward : context.forwarded()) {
            if (forward.childName().equals(java.util.Optional.of(Outputs.PAIR_EVENTS))
                    && PairEventFormat.EVENTS.read(forward.record().value()).event()
                            instanceof PairEvent.SettlementRecorded(var settlement)) {
                assertEquals(DUE, settlement.settledMs());
                assets.add(settlement.asset());
            }
        }
        assertEquals(Set.of("OLDNAME", "XYZ"), assets);
    }

    private static Listing follow(ContractLedger ledger, ListingLedger listings, Listing known, Rate rate) {
        ledger.begin(rate.key().toString().getBytes(UTF_8), rate.key(), rate.observedAtMs(), 0);
        Listing now = listings.follow(known, null, "XYZ", rate, rate.observedAtMs());
        ledger.write();
        return now;
    }

    private static Rate rate(String asset, long observedAtMs, long nextFundingMs) {
        var interval = new BigDecimal(8);
        return new Rate(
                "okx",
                "XYZ-USDT-SWAP",
                asset,
                "USDT",
                ContractType.LINEAR,
                new BigDecimal("0.0001"),
                interval,
                IntervalSource.ROW,
                new BigDecimal("0.0001"),
                RateKind.ESTIMATE,
                new BigDecimal("0.1095"),
                nextFundingMs,
                BigDecimal.TEN,
                null,
                BigDecimal.ONE,
                observedAtMs,
                observedAtMs,
                false);
    }
}
