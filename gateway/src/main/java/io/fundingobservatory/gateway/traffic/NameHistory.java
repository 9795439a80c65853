package io.fundingobservatory.gateway.traffic;

import io.fundingobservatory.gateway.traffic.ClientLimiter.Limits;
import io.fundingobservatory.gateway.traffic.ClientLimiter.Refusal;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * When a client, or a network of clients, looked at each name, over an hour. A request is one look at each name in it. A sweep is made of
 * names in requests of their own; lists of names are bounded by their number alone.
 */
final class NameHistory {
    private static final int HOUR_S = 3_600;
    private static final int NEVER = Integer.MIN_VALUE / 2;
    private static final Look NONE = new Look(NEVER, NEVER, NEVER);
    private static final int EMPTY_BYTES = 168;
    private static final int LOOK_BYTES = 136;

    private final Map<String, Look> looks = new HashMap<>();

    /** When a name was looked at last and the time before, and when it was last named alone. */
    private record Look(int lastS, int beforeS, int aloneS) {}

    /**
     * Judges names, where {@code times} as much is allowed as to one client. Looking again at what it knows is never refused.
     *
     * @return the time after which the same names are admitted, if nothing else is requested meanwhile; null where they are admitted
     */
    @Nullable
    Refusal judge(Set<String> named, int times, int nowS, Limits limits) {
        int waitS = Math.max(
                untilFew(named, limits.windowNames() * times, limits.windowS(), nowS),
                untilFew(named, limits.hourNames() * times, HOUR_S, nowS));
        if (waitS > 0) {
            return new Refusal(Refusal.Cause.NAMES, waitS, recent(limits.requestNames()));
        }
        if (named.size() > 1 || isKnown(named, HOUR_S, nowS)) {
            return null;
        }
        waitS = untilNoSweep(named.iterator().next(), limits.sweepNames() * times, nowS, limits);
        return waitS == 0 ? null : new Refusal(Refusal.Cause.SWEEP, waitS, recent(limits.requestNames()));
    }

    private boolean isKnown(Collection<String> named, int spanS, int nowS) {
        return named.stream().allMatch(name -> nowS - looks.getOrDefault(name, NONE).lastS < spanS);
    }

    /** After how many seconds these names and the others looked at within a span make no more than so many. */
    private int untilFew(Set<String> named, int most, int spanS, int nowS) {
        if (isKnown(named, spanS, nowS)) {
            return 0;
        }
        if (named.size() > most) {
            return spanS;
        }
        int[] others = looks.entrySet().stream()
                .filter(other -> nowS - other.getValue().lastS < spanS && !named.contains(other.getKey()))
                .mapToInt(other -> other.getValue().lastS)
                .sorted()
                .toArray();
        int leaving = others.length - (most - named.size());
        return leaving <= 0 ? 0 : others[leaving - 1] + spanS - nowS;
    }

    /** After how many seconds a name that was not looked at within the hour makes no sweep with the others that were named alone. */
    private int untilNoSweep(String name, int sweepNames, int nowS, Limits limits) {
        List<Look> alone = looks.entrySet().stream()
                .filter(other -> nowS - other.getValue().aloneS < limits.windowS()
                        && !other.getKey().equals(name))
                .map(Map.Entry::getValue)
                .toList();
        // Only a name that leaves the window makes it less of a sweep.
        return IntStream.concat(IntStream.of(nowS), alone.stream().mapToInt(look -> look.aloneS + limits.windowS()))
                        .sorted()
                        .filter(atS -> !isSweep(alone, atS, sweepNames, limits))
                        .findFirst()
                        .orElseThrow()
                - nowS;
    }

    /** Whether so many names alone, and one more that is looked at for the first time, are a sweep at an instant. */
    private static boolean isSweep(List<Look> others, int atS, int sweepNames, Limits limits) {
        int alone = 1;
        int once = 1;
        for (Look look : others) {
            if (atS - look.aloneS < limits.windowS()) {
                alone++;
                once += atS - look.beforeS < limits.windowS() ? 0 : 1;
            }
        }
        return alone >= sweepNames && once * 100L >= (long) limits.sweepPercent() * alone;
    }

    /** Remembers a look at each, and forgets what is older than an hour. */
    void add(Set<String> named, int nowS) {
        for (String name : named) {
            Look look = looks.getOrDefault(name, NONE);
            looks.put(name, new Look(nowS, look.lastS, named.size() == 1 ? nowS : look.aloneS));
        }
        looks.values().removeIf(look -> nowS - look.lastS >= HOUR_S);
    }

    /** The names that were looked at last, the latest first. */
    List<String> recent(int most) {
        Comparator<Map.Entry<String, Look>> latest = Comparator.comparingInt(entry -> -entry.getValue().lastS);
        return looks.entrySet().stream()
                .sorted(latest.thenComparing(Map.Entry.comparingByKey()))
                .limit(most)
                .map(Map.Entry::getKey)
                .toList();
    }

    int bytes() {
        return EMPTY_BYTES + LOOK_BYTES * looks.size();
    }
}
