package io.fundingobservatory.ingest.poll.guards;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A day of a market in which venues disagree as real ones do, minute by minute, from a seed.
 *
 * <p>Every asset has a premium that all venues see. One part is shared by the whole market: mean-reverting,
 * with crashes and with calm turns of sign. A crash turns its sign within minutes and fades over an hour or
 * two. The other part is the asset's own.
 *
 * <p>A venue shows the premium times a factor of its own between 1/4 and 4, scattered symbol by symbol. It is
 * averaged over the venue's own time or constant since its last settlement. Sometimes it is pulled to the
 * usual interest of 0.01 %. It always stays within a few caps, which all venues may change at once.
 *
 * <p>A venue lists four to all of the assets and is away for 5 to 30 minutes now and then.
 */
final class DisagreeingVenues {
    static final int MINUTES = 24 * 60;
    private static final double INTEREST = 1e-4;
    private static final double[] CAPS = {0.003, 0.0075, 0.02};

    private final Random random;
    private final double[] beta;
    private final double[] own;
    private final List<Exchange> exchanges = new ArrayList<>();
    private final int capsChangeAt;
    private final double capsChangeBy;
    private double shared;
    private double crash;
    private double fading = 1;
    private double mood;

    /** One exchange of the market. */
    static final class Exchange {
        final String id;
        final String[] assets;
        private final int[] listed;
        private final double[] scatter;
        private final double[] shown;
        private final double sigma;
        private final double averaging;
        private final int settlesEvery;
        private final boolean pulledToInterest;
        private final boolean[] away = new boolean[MINUTES];
        private double logFactor;
        private final double drift;

        Exchange(String id, int assets, Random random) {
            this.id = id;
            int lists = random.nextInt(5) == 0 ? 4 + random.nextInt(12) : assets - random.nextInt(assets / 2);
            this.listed =
                    random.ints(0, assets).distinct().limit(lists).sorted().toArray();
            this.assets = Arrays.stream(listed).mapToObj(a -> "A" + a).toArray(String[]::new);
            this.scatter = new double[lists];
            this.shown = new double[lists];
            Arrays.fill(shown, Double.NaN);
            this.sigma = 0.1 + 0.4 * random.nextDouble();
            Arrays.setAll(scatter, i -> sigma * random.nextGaussian());
            boolean isFixed = random.nextInt(6) == 0;
            this.settlesEvery = isFixed ? 60 * new int[] {1, 4, 8}[random.nextInt(3)] : 0;
            this.averaging = 1.0 / (1 + random.nextInt(120));
            this.pulledToInterest = random.nextInt(6) == 0;
            this.logFactor = random.nextInt(3) == 0 ? (2 * random.nextDouble() - 1) * Math.log(4) : 0;
            this.drift = random.nextInt(4) == 0 ? 0.02 : 0.002;
            for (int outage = random.nextInt(4); outage > 0; outage--) {
                int from = random.nextInt(MINUTES - 40);
                Arrays.fill(away, from, from + 5 + random.nextInt(26), true);
            }
        }

        boolean isAway(int minute) {
            return away[minute];
        }

        /** Whether its rates move freely and on many symbols, so that a change of all of them can be detected. */
        boolean isFree() {
            return listed.length >= 45 && settlesEvery == 0 && !pulledToInterest;
        }

        double factor() {
            return Math.exp(logFactor);
        }
    }

    /**
     * A market.
     *
     * @param mood what the shared premium tends to at first, in 0.01 % per 8 hours: about 1 is calm, 5 a market that leans one way
     */
    DisagreeingVenues(long seed, double mood) {
        this.random = new Random(seed);
        this.mood = mood;
        this.shared = 1e-4 * mood;
        int assets = 50 + random.nextInt(40);
        this.beta = new double[assets];
        this.own = new double[assets];
        Arrays.setAll(beta, a -> Math.exp(0.5 * random.nextGaussian()));
        Arrays.setAll(own, a -> 1e-4 * random.nextGaussian());
        int count = 10 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            exchanges.add(new Exchange("v" + i, assets, random));
        }
        this.capsChangeAt = random.nextInt(2 * MINUTES);
        this.capsChangeBy = random.nextBoolean() ? 0.25 + random.nextDouble() : 2 + 8 * random.nextDouble();
    }

    List<Exchange> exchanges() {
        return exchanges;
    }

    /** Goes on by one minute. */
    void step(int minute) {
        shared += 0.01 * (1e-4 * mood - shared) + 4e-6 * random.nextGaussian();
        if (random.nextInt(900) == 0) {
            crash = (random.nextInt(4) == 0 ? 1 : -1) * 1e-4 * (3 + 27 * random.nextDouble());
            fading = 1 - 1.0 / (30 + random.nextInt(90));
        }
        crash *= fading;
        if (random.nextInt(700) == 0) {
            mood = -mood;
        }
        for (int a = 0; a < own.length; a++) {
            own[a] = 0.998 * own[a] + 6e-6 * random.nextGaussian();
        }
        for (Exchange exchange : exchanges) {
            move(exchange, minute);
        }
    }

    private void move(Exchange exchange, int minute) {
        exchange.logFactor =
                Math.clamp(exchange.logFactor + exchange.drift * random.nextGaussian(), -Math.log(4), Math.log(4));
        boolean isFixed = exchange.settlesEvery > 0 && minute % exchange.settlesEvery != 0;
        for (int i = 0; i < exchange.listed.length; i++) {
            int a = exchange.listed[i];
            exchange.scatter[i] = 0.99 * exchange.scatter[i] + 0.14 * exchange.sigma * random.nextGaussian();
            double seen = beta[a] * (shared + crash) + own[a];
            if (Double.isNaN(exchange.shown[i])) {
                exchange.shown[i] = seen;
            } else if (exchange.settlesEvery > 0) {
                exchange.shown[i] = isFixed ? exchange.shown[i] : seen;
            } else {
                exchange.shown[i] += exchange.averaging * (seen - exchange.shown[i]);
            }
        }
    }

    /** The rates that an exchange shows in this minute, fractions per 8 hours by asset. */
    Map<String, Double> rates(Exchange exchange, int minute) {
        double caps = minute >= capsChangeAt ? capsChangeBy : 1;
        var rates = new HashMap<String, Double>(2 * exchange.listed.length);
        for (int i = 0; i < exchange.listed.length; i++) {
            double rate = exchange.shown[i] * Math.exp(exchange.logFactor + exchange.scatter[i]);
            if (exchange.pulledToInterest) {
                rate += Math.clamp(INTEREST - rate, -5e-4, 5e-4);
            }
            double cap = caps * CAPS[exchange.listed[i] % CAPS.length];
            rates.put(exchange.assets[i], Math.clamp(rate, -cap, cap));
        }
        return rates;
    }

    /**
     * A venue's level relative to the others.
     *
     * @param clear symbols whose sign clearly agrees with three quarters of at least five others; of those
     *     others, fewer than half show the usual interest
     * @param times the median of its rates as multiples of the others' medians, over those symbols
     */
    record Standing(int clear, double times) {}

    Standing standing(Exchange exchange, int minute) {
        Map<String, Double> own = rates(exchange, minute);
        var others = new HashMap<String, List<Double>>();
        for (Exchange other : exchanges) {
            if (other != exchange && !other.isAway(minute)) {
                rates(other, minute)
                        .forEach((asset, rate) -> others.computeIfAbsent(asset, a -> new ArrayList<>())
                                .add(rate));
            }
        }
        var times = new ArrayList<Double>();
        own.forEach((asset, rate) -> {
            List<Double> of = others.getOrDefault(asset, List.of());
            long same =
                    of.stream().filter(r -> r * rate > 0 && Math.abs(r) > 5e-5).count();
            long atInterest = of.stream().filter(r -> r == INTEREST).count();
            if (Math.abs(rate) > 5e-5 && of.size() >= 5 && 4 * same >= 3 * of.size() && 2 * atInterest < of.size()) {
                times.add(rate
                        / of.stream().sorted().skip(of.size() / 2).findFirst().orElseThrow());
            }
        });
        return times.isEmpty()
                ? new Standing(0, 1)
                : new Standing(
                        times.size(),
                        times.stream()
                                .sorted()
                                .skip(times.size() / 2)
                                .findFirst()
                                .orElseThrow());
    }
}
