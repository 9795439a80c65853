package io.fundingobservatory.gateway.traffic;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * When each name was looked at last and the time before, and when it was last named alone, over an hour. A request is one look at each
 * name in it. Names are held as hashes: two of them are taken for one about once in a hundred thousand clients.
 */
final class NameHistory {
    static final int HOUR_S = 3_600;

    private static final int NEVER = Integer.MIN_VALUE / 2;
    private static final Look NONE = new Look(NEVER, NEVER, NEVER);
    private static final int EMPTY_BYTES = 112;
    private static final int LOOK_BYTES = 72;

    private final Map<Integer, Look> looks = new HashMap<>();

    private record Look(int lastS, int beforeS, int aloneS) {
        boolean within(int spanS, int nowS) {
            return nowS - lastS < spanS;
        }
    }

    /**
     * The counts that would result from a request.
     *
     * @param fresh names of the request that were not looked at within the hour
     * @param freshInWindow those that were not looked at within the window
     * @param inWindow different names within the window
     * @param inHour different names within the hour
     * @param alone names that were named alone within the window
     * @param aloneOnce those of them that were looked at once within the window
     */
    record Count(int fresh, int freshInWindow, int inWindow, int inHour, int alone, int aloneOnce) {}

    /** Counts as if the request's names, which are sorted, had been looked at. */
    Count with(int[] names, int nowS, int windowS) {
        int fresh = 0;
        int freshInWindow = 0;
        int alone = 0;
        int once = 0;
        for (int name : names) {
            Look look = looks.getOrDefault(name, NONE);
            fresh += look.within(HOUR_S, nowS) ? 0 : 1;
            freshInWindow += look.within(windowS, nowS) ? 0 : 1;
            if (names.length == 1 || nowS - look.aloneS < windowS) {
                alone++;
                once += look.within(windowS, nowS) ? 0 : 1;
            }
        }
        int inWindow = names.length;
        int inHour = names.length;
        for (var other : looks.entrySet()) {
            Look look = other.getValue();
            if (!contains(names, other.getKey())) {
                inHour += look.within(HOUR_S, nowS) ? 1 : 0;
                inWindow += look.within(windowS, nowS) ? 1 : 0;
                if (nowS - look.aloneS < windowS) {
                    alone++;
                    once += nowS - look.beforeS < windowS ? 0 : 1;
                }
            }
        }
        return new Count(fresh, freshInWindow, inWindow, inHour, alone, once);
    }

    private static boolean contains(int[] names, int hash) {
        return Arrays.binarySearch(names, hash) >= 0;
    }

    /** Remembers a look at each, and forgets what is older than an hour; returns whether one had not been looked at within it. */
    boolean add(int[] names, int nowS) {
        boolean fresh = false;
        for (int name : names) {
            Look look = looks.getOrDefault(name, NONE);
            fresh |= !look.within(HOUR_S, nowS);
            looks.put(name, new Look(nowS, look.lastS, names.length == 1 ? nowS : look.aloneS));
        }
        looks.values().removeIf(look -> !look.within(HOUR_S, nowS));
        return fresh;
    }

    /** After how many seconds these names and the others looked at within a span make no more than so many. */
    int untilHolds(int[] names, int most, int spanS, int nowS) {
        if (names.length > most) {
            return spanS;
        }
        int[] others = looks.entrySet().stream()
                .filter(other -> other.getValue().within(spanS, nowS) && !contains(names, other.getKey()))
                .mapToInt(other -> other.getValue().lastS)
                .sorted()
                .toArray();
        int leaving = others.length - (most - names.length);
        return leaving <= 0 ? 0 : others[leaving - 1] + spanS - nowS;
    }

    int bytes() {
        return EMPTY_BYTES + LOOK_BYTES * looks.size();
    }
}
