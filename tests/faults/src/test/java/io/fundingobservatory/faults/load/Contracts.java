package io.fundingobservatory.faults.load;

import io.fundingobservatory.oracle.Names;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Made-up contracts of some exchanges, drawn from a seed; what asset each is of is known here before anything reads its spelling. */
public final class Contracts implements Names {
    /** Spelling of a base coin, its asset, and the coins of one priced unit. */
    private static final String[][] SPELLINGS = {
        {"BTC", "BTC", "1"},
        {"XBT", "BTC", "1"},
        {"ETH", "ETH", "1"},
        {"1000PEPE", "PEPE", "1000"},
        {"kBONK", "BONK", "1000"},
        {"1000000MOG", "MOG", "1000000"},
        {"1INCH", "1INCH", "1"},
        {"4", "4", "1"},
        {"币安人生", "币安人生", "1"},
        {"sol", "SOL", "1"}
    };

    static final List<String> UNITS = List.of(
            "fraction", "percent", "quote_per_coin_at_index", "quote_per_coin_at_mark", "coin_per_quote_at_index");
    private static final int[] INTERVALS = {1, 2, 3, 4, 8, 24};

    /** How the names of assets with settlements begin. */
    static final String SETTLED = "LEDGER";

    /** Exchanges of which there are contracts. */
    public static final List<String> VENUES = List.of("binance", "bybit", "okx", "bitget", "gate", "hyperliquid");

    /**
     * One contract.
     *
     * @param unit of its rate
     * @param intervalH hours between settlements; null where the exchange does not publish them
     * @param coveredH hours that the rate covers; null for one funding interval
     */
    public record Contract(
            String venue,
            String symbol,
            String base,
            Asset asset,
            String unit,
            @Nullable Integer intervalH,
            @Nullable Integer coveredH) {
        public String key() {
            return venue + "|" + symbol;
        }
    }

    private final List<Contract> all = new ArrayList<>();
    private final Map<String, Asset> assets = new HashMap<>();

    /**
     * Draws contracts from a seed.
     *
     * @param ofEach contracts of each venue without settlements
     * @param settled contracts with settlements
     */
    public Contracts(long seed, int ofEach, List<Contract> settled) {
        var random = new Random(seed);
        for (String venue : VENUES) {
            for (int i = 0; i < ofEach; i++) {
                String[] spelling = SPELLINGS[i % SPELLINGS.length];
                String unit = UNITS.get(random.nextInt(3) == 0 ? random.nextInt(UNITS.size()) : 0);
                Integer interval = random.nextInt(12) == 0 ? null : INTERVALS[random.nextInt(INTERVALS.length)];
                Integer covered = random.nextInt(6) == 0 ? Integer.valueOf(8) : interval;
                var asset = new Asset(spelling[1], new BigDecimal(spelling[2]));
                var contract = new Contract(venue, spelling[0] + "-" + i, spelling[0], asset, unit, interval, covered);
                all.add(contract);
                assets.put(contract.key(), asset);
            }
        }
        for (Contract contract : settled) {
            all.add(contract);
            assets.put(contract.key(), contract.asset());
        }
    }

    /** So many contracts with settlements: one price, settled every 8 hours, each asset at all venues. */
    public static List<Contract> settled(int contracts) {
        var settled = new ArrayList<Contract>();
        for (int i = 0; i < contracts; i++) {
            String name = SETTLED + letters(i / VENUES.size());
            var asset = new Asset(name, BigDecimal.ONE);
            settled.add(new Contract(VENUES.get(i % VENUES.size()), name + "-PERP", name, asset, "fraction", 8, 8));
        }
        return settled;
    }

    /** Three letters: digits may count as a multiplier. */
    private static String letters(int number) {
        return "" + letter(number / (26 * 26)) + letter(number / 26) + letter(number);
    }

    private static char letter(int number) {
        return (char) ('A' + number % 26);
    }

    public List<Contract> all() {
        return all;
    }

    @Override
    public @Nullable Asset of(String venue, String symbol) {
        return assets.get(venue + "|" + symbol);
    }
}
