package io.fundingobservatory.testbed.sim;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The assets that the simulated exchanges have in common, the most traded first. */
final class Assets {
    /** Names that look like multipliers, versions or other words, and are not. */
    private static final String ODD = "1INCH 4 0G 2Z API3 C98 LUNA2 BANANAS31 BROCCOLI714 X WHY SUPER A USUAL ";

    private static final String SHARES =
            "NVDA TSLA MSTR AAPL AMZN GOOGL META MSFT COIN HOOD CRCL PLTR INTC AMD MU NFLX ORCL";

    private static final List<String> REAL =
            List.of(("BTC ETH SOL XRP DOGE PEPE BNB ADA AVAX LINK SHIB LTC TRX DOT SUI BCH "
                            + "NEAR APT ARB OP "
                            + ODD
                            + "BONK FLOKI SATS RATS MOG BABYDOGE LUNC XEC CAT CHEEMS TURBO NEIRO HYPE TON WIF ENA ONDO "
                            + "TIA SEI INJ FIL ATOM UNI AAVE ETC XLM ALGO HBAR ICP POL STRK WLD JUP PYTH ORDI TRUMP "
                            + "PENGU FARTCOIN VIRTUAL TAO RENDER GRT LDO CRV MKR SNX COMP SUSHI YFI DYDX GMX PENDLE "
                            + "ETHFI EIGEN STX IMX GALA SAND MANA AXS APE CHZ ENJ FLOW EGLD XTZ NEO EOS IOTA QTUM ZEC "
                            + "DASH XMR KSM ZIL ONE CELO KAVA ROSE ANKR BAT ZRX KNC UMA BAL BAND LRC STORJ RSR RVN ONT "
                            + "IOST SKL CTSI OCEAN FET AGIX RLC NMR TRB MASK ENS GAL HOOK MAGIC ID EDU CYBER ARKM MAV "
                            + "PENG BLUR FXS RDNT JOE SSV LQTY HIGH PERP CFX ACH AGLD AUCTION BIGTIME BICO BOME CAKE "
                            + "CKB COTI CVX DENT DUSK DYM ALT MANTA PIXEL PORTAL AEVO W TNSR SAGA REZ NOT IO ZK ZRO "
                            + "LISTA BANANA RARE SUN POPCAT MEW DOGS CATI HMSTR SCR GOAT GRASS PNUT ACT MOODENG "
                            + "CHILLGUY MOVE ME USELESS VANA BIO SONIC ANIME KAITO BERA IP SHELL LAYER RED FORM PARTI "
                            + "NIL BABY WCT INIT HAEDAL SYRUP SOPH HUMA SAHARA SPK PUMP PROVE TREE LINEA AVNT SKY BARD "
                            + "ASTER XPL EDEN YB MORPHO SPX AERO AIXBT ATH BRETT CARV COOKIE DEGEN DRIFT FLUX GAS GLM "
                            + "GTC ILV IOTX JASMY JTO KMNO LPT METIS MINA MTL NFP NTRN OGN OM OMNI ORCA PAXG PEOPLE "
                            + "PHB POLYX POWR QNT RAY SFP SLP SPELL STEEM STG SXP SYN SYS T THETA TLM TWT USTC VET "
                            + "WAXP WOO XAI XVG XVS YGG ZEN ZETA XAU XAG " + SHARES)
                    .split(" "));

    /** Made-up names beyond the real ones, so that the longest lists of real exchanges can be simulated in full length. */
    private static final int MADE_UP = 1_300;

    /** The first of the made-up ones are shares: with the real ones about as many as Binance lists perpetuals of (155). */
    private static final int MADE_UP_SHARES = 140;

    static final List<String> ALL = Stream.concat(
                    REAL.stream(), IntStream.range(0, MADE_UP).mapToObj(Assets::madeUp))
            .toList();

    /** Coins of so little value that some exchanges price them by the thousand or million. */
    static final List<String> TINY = List.of(
            "PEPE",
            "SHIB",
            "BONK",
            "FLOKI",
            "SATS",
            "RATS",
            "LUNC",
            "XEC",
            "CAT",
            "CHEEMS",
            "MOG",
            "BABYDOGE",
            "TURBO");

    private static final Map<String, String> KNOWN = Map.of(
            "BTC", "91234.5", "ETH", "3123.45", "SOL", "187.6", "XRP", "2.31", "BNB", "875.4", "DOGE", "0.214", "XAU",
            "4012.7");

    private static final Set<String> ALL_SHARES = Stream.concat(
                    Stream.of(SHARES.split(" ")),
                    IntStream.range(0, MADE_UP_SHARES).mapToObj(Assets::madeUp))
            .collect(Collectors.toUnmodifiableSet());

    private Assets() {}

    static boolean isMetal(String asset) {
        return asset.equals("XAU") || asset.equals("XAG");
    }

    static boolean isShare(String asset) {
        return ALL_SHARES.contains(asset);
    }

    /**
     * Returns a pronounceable name that no asset has and that ends like no quote currency: BABAX, BABEX, …
     */
    private static String madeUp(int i) {
        String consonants = "BDFGHJLMNPRTVZ";
        String vowels = "AEIOU";
        int rest = i;
        var name = new StringBuilder();
        for (int syllable = 0; syllable < 2; syllable++) {
            name.append(vowels.charAt(rest % vowels.length()));
            rest /= vowels.length();
            name.append(consonants.charAt(rest % consonants.length()));
            rest /= consonants.length();
        }
        return name.reverse().append('X').toString();
    }

    /** What one coin costs about, in US dollars. */
    static BigDecimal basePrice(long seed, String asset) {
        String known = KNOWN.get(asset);
        if (known != null) {
            return new BigDecimal(known);
        }
        long key = Noise.mix(seed, asset);
        int magnitude = TINY.contains(asset) ? -8 - Noise.pick(key, 3) : -4 + Noise.pick(key, 4);
        return BigDecimal.valueOf(1_000 + Noise.pick(key + 1, 9_000)).scaleByPowerOfTen(magnitude);
    }
}
