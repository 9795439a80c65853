package io.fundingobservatory.gateway.traffic;

import io.fundingobservatory.gateway.traffic.ClientLimiter.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Measures the cost of judging one request, compared with the 90 ns that are attainable for one level of one
 * client.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class AdmissionBenchmark {
    private static final double ATTAINABLE_NS = 90;
    private static final int CLIENTS = 100_000;

    private final Random random = new Random(1);
    private final Address[] ipv4 = new Address[CLIENTS];
    private final Address[] ipv6 = new Address[CLIENTS];
    private final List<Set<String>> requests = new ArrayList<>();
    private ClientLimiter limiter;
    private long nowUs;
    private int next;

    @Setup
    public void fill() {
        limiter = new ClientLimiter(StandardLimits.STANDARD, List.of(), 7);
        for (int i = 0; i < CLIENTS; i++) {
            ipv4[i] = new Address(4, 0, random.nextInt() & 0xffffffffL);
            ipv6[i] = new Address(6, random.nextLong(), 0);
        }
        for (int i = 0; i < 3; i++) {
            requests.add(Set.of("symbols=BTC-USDT-" + i));
        }
    }

    private int next() {
        nowUs += 1_000;
        next = next + 1 == CLIENTS ? 0 : next + 1;
        return next;
    }

    @Benchmark
    public @Nullable Refusal knownIpv4Client() {
        return limiter.admit(ipv4[next()], 1, nowUs);
    }

    @Benchmark
    public @Nullable Refusal knownIpv6ClientOnThreeLevels() {
        return limiter.admit(ipv6[next()], 1, nowUs);
    }

    @Benchmark
    public @Nullable Refusal knownIpv4ClientNamesASymbol() {
        return limiter.admitNames(ipv4[next()], requests.get(next % requests.size()), nowUs);
    }

    @Benchmark
    public @Nullable Refusal neverSeenIpv6ClientOnThreeLevels() {
        next();
        return limiter.admit(new Address(6, random.nextLong(), 0), 1, nowUs);
    }

    public static void main(String[] args) throws RunnerException {
        var results = new Runner(new OptionsBuilder()
                        .include(AdmissionBenchmark.class.getSimpleName())
                        .build())
                .run();
        for (RunResult result : results) {
            double ns = result.getPrimaryResult().getScore();
            System.out.printf(
                    "%-36s %6.0f ns, %5.2f of the attainable %.0f ns%n",
                    result.getPrimaryResult().getLabel(), ns, ns / ATTAINABLE_NS, ATTAINABLE_NS);
        }
    }
}
