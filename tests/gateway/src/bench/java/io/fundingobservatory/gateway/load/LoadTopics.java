package io.fundingobservatory.gateway.load;

import static io.fundingobservatory.testbed.SampleRecords.fields;

import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.carry.DailySums;
import io.fundingobservatory.topics.carry.RatePercentiles;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Topics as a full market fills them: rows, statuses and pairs. Each venue is then observed once a minute until this is closed. */
final class LoadTopics implements AutoCloseable {
    static final int CONTRACTS = Integer.getInteger("contracts", 25_000);
    private static final int PAIRS = Integer.getInteger("pairs", 220_000);
    private static final long BEGUN = System.currentTimeMillis();

    private final Random random = new Random(1);
    private final List<List<String>> venuesOfAsset = new ArrayList<>();
    private final KafkaProducer<String, byte[]> producer;
    private final long pairs;
    private volatile boolean closed;

    LoadTopics(KafkaFixture kafka) {
        producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        "acks",
                        "all",
                        "compression.type",
                        "lz4",
                        "linger.ms",
                        20,
                        "max.request.size",
                        Topics.LARGEST_RECORD),
                new StringSerializer(),
                new ByteArraySerializer());
        listings();
        pairs = fill();
        producer.flush();
    }

    long pairs() {
        return pairs;
    }

    /** Few assets are listed nearly everywhere, most on a few venues. */
    private void listings() {
        int contracts = 0;
        for (int asset = 0; contracts < CONTRACTS; asset++) {
            int listed = Math.min(CONTRACTS - contracts, Math.max(1, ListedVenue.ALL.size() - asset / 14));
            var venues = new ArrayList<String>();
            for (int i = 0; i < listed; i++) {
                venues.add(ListedVenue.ALL
                        .get((asset + i) % ListedVenue.ALL.size())
                        .id());
            }
            venuesOfAsset.add(venues);
            contracts += listed;
        }
    }

    private long fill() {
        long filled = 0;
        ListedVenue.ALL.forEach(venue -> observe(venue.id()));
        for (int asset = 0; asset < venuesOfAsset.size(); asset++) {
            CarryTable table = table(asset, PAIRS - filled);
            filled += table.pairs().size();
            send(Topics.CARRY_PAIRS, table.asset(), CarryTable.CODEC.encode(table));
        }
        return filled;
    }

    /** Observes one venue after another, each once a minute. */
    void observeEveryMinute() {
        Thread.ofPlatform().daemon().start(() -> {
            long everyNs = TimeUnit.MINUTES.toNanos(1) / ListedVenue.ALL.size();
            for (int turn = 0; !closed; turn++) {
                LockSupport.parkNanos(everyNs);
                if (!closed) {
                    observe(ListedVenue.ALL.get(turn % ListedVenue.ALL.size()).id());
                }
            }
        });
    }

    private synchronized void observe(String venue) {
        long now = System.currentTimeMillis();
        for (int asset = 0; asset < venuesOfAsset.size(); asset++) {
            if (venuesOfAsset.get(asset).contains(venue)) {
                Rate rate = rate(venue, asset, now);
                send(Topics.RATES_LATEST, rate.key().toString(), Rate.CODEC.encode(rate));
            }
        }
        var status = new VenueStatus(
                venue, Source.SIMULATED, RateKind.ESTIMATE, true, null, now, now, null, null, 1L, Map.of());
        send(Topics.VENUES_STATUS, venue, VenueStatus.CODEC.encode(status));
    }

    private Rate rate(String venue, int asset, long now) {
        return SampleRecords.rate(
                fields("venue", venue, "symbol", "A" + asset + "-USDT", "asset", "A" + asset, "quote", "USDT"),
                fields("contract_type", ContractType.LINEAR, "asset_class", null, "dex", null),
                fields("funding_rate_8h", fraction(), "funding_interval_h", BigDecimal.valueOf(8)),
                fields("funding_interval_source", IntervalSource.ROW, "funding_rate", fraction()),
                fields("rate_kind", RateKind.ESTIMATE, "funding_rate_annualised", fraction()),
                fields("next_funding_ms", now + 3_600_000),
                fields("mark_price", BigDecimal.valueOf(1_000 + random.nextInt(9_000), 2)),
                fields("index_price", BigDecimal.valueOf(1_000 + random.nextInt(9_000), 2)),
                fields("price_scale", BigDecimal.ONE, "venue_time_ms", now, "observed_at_ms", now, "stale", false));
    }

    private CarryTable table(int asset, long most) {
        var all = new ArrayList<CarryPair>();
        List<String> venues = venuesOfAsset.get(asset);
        for (int a = 0; a < venues.size(); a++) {
            for (int b = a + 1; b < venues.size() && all.size() < most; b++) {
                byte[] receipt = new byte[32];
                random.nextBytes(receipt);
                all.add(new CarryPair(
                        leg(venues.get(a), asset),
                        leg(venues.get(b), asset),
                        30,
                        true,
                        null,
                        fraction().abs(),
                        17L,
                        HexFormat.of().formatHex(receipt)));
            }
        }
        long end = (BEGUN - 600_000) / 3_600_000 * 3_600_000;
        return new CarryTable("A" + asset, end - 2_592_000_000L, end, all, List.of());
    }

    private static CarryLeg leg(String venue, int asset) {
        long end = BEGUN / 28_800_000 * 28_800_000;
        BigDecimal sum = BigDecimal.valueOf((venue.hashCode() * 31L + asset) % 1_000_000, 8);
        return new CarryLeg(
                venue,
                "A" + asset + "-USDT",
                0,
                "USDT",
                sum,
                90,
                90,
                0,
                end - 2_563_200_000L,
                end,
                BigDecimal.valueOf(8),
                Basis.SETTLED,
                DailySums.of(Collections.nCopies(30, sum)),
                new RatePercentiles(sum.negate(), BigDecimal.ZERO, sum));
    }

    private BigDecimal fraction() {
        return BigDecimal.valueOf(random.nextInt(40_001) - 20_000, 8);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // flushing and closing wait for all
    private void send(Topic<?> topic, String key, byte[] value) {
        producer.send(new ProducerRecord<>(topic.name(), key, value));
    }

    @Override
    public void close() {
        closed = true;
        synchronized (this) {
            producer.close();
        }
    }
}
