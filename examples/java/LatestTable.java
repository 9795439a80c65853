import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Rate;
import java.nio.file.Files;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.Stores;

/** The newest rates of one asset from a table of rates.latest: LatestTable BOOTSTRAP_SERVERS ASSET. */
final class LatestTable {
    private static final String STORE = "latest";

    public static void main(String[] args) throws Exception {
        var builder = new StreamsBuilder();
        // rates.latest is compacted: the newest record of a key is its value, and a null value removes the key.
        builder.globalTable(
                Topics.RATES_LATEST.name(),
                Consumed.with(Serdes.String(), Topics.RATES_LATEST.serde()),
                Materialized.<String, Rate>as(Stores.inMemoryKeyValueStore(STORE)));
        var config = new Properties();
        config.putAll(Map.of(
                "bootstrap.servers",
                args[0],
                // Groups of teams begin with "team-".
                "application.id",
                "team-example",
                "state.dir",
                Files.createTempDirectory("example").toString(),
                "isolation.level",
                "read_committed"));
        try (var streams = new KafkaStreams(builder.build(), config)) {
            // The global table is complete when the client runs.
            var running = new CountDownLatch(1);
            streams.setStateListener((state, before) -> {
                if (state == KafkaStreams.State.RUNNING) {
                    running.countDown();
                }
            });
            streams.start();
            if (!running.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the table is not restored after 60 s; is " + args[0] + " reachable?");
            }
            var table = streams.store(
                    StoreQueryParameters.fromNameAndType(STORE, QueryableStoreTypes.<String, Rate>keyValueStore()));
            try (var rates = table.all()) {
                while (rates.hasNext()) {
                    Rate rate = rates.next().value;
                    if (rate.asset().equals(args[1]) && rate.fundingRate8h() != null) {
                        System.out.println(rate.venue() + " " + rate.symbol() + " "
                                + rate.fundingRate8h().toPlainString());
                    }
                }
            }
        }
    }
}
