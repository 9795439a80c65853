package io.fundingobservatory.gateway.traffic;

import java.util.Arrays;

/**
 * When each name was looked at last and the time before, and when it was last named alone, over an hour. A request is one look at each
 * name in it. Names are held as hashes: two of them are taken for one about once in a hundred thousand clients.
 */
final class NameHistory {
    static final int HOUR_S = 3_600;
    private static final int NEVER = Integer.MIN_VALUE / 2;
    private static final int FIRST = 4;

    private int[] hashes = new int[FIRST];
    private int[] last = new int[FIRST];
    private int[] before = new int[FIRST];
    private int[] alone = new int[FIRST];
    private int size;

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

    /** Counts as if the request's names had been looked at. */
    Count with(int[] names, int nowS, int windowS) {
        int inWindow = 0;
        int inHour = 0;
        int known = 0;
        int knownInWindow = 0;
        int here = 0;
        int single = 0;
        int once = 0;
        for (int i = 0; i < size; i++) {
            boolean named = contains(names, hashes[i]);
            here += named ? 1 : 0;
            known += named && nowS - last[i] < HOUR_S ? 1 : 0;
            knownInWindow += named && nowS - last[i] < windowS ? 1 : 0;
            inHour += named || nowS - last[i] < HOUR_S ? 1 : 0;
            inWindow += named || nowS - last[i] < windowS ? 1 : 0;
            if (nowS - alone[i] < windowS || (named && names.length == 1)) {
                single++;
                once += nowS - (named ? last[i] : before[i]) >= windowS ? 1 : 0;
            }
        }
        int unseen = names.length - here;
        int unseenAlone = names.length == 1 ? unseen : 0;
        return new Count(
                names.length - known,
                names.length - knownInWindow,
                inWindow + unseen,
                inHour + unseen,
                single + unseenAlone,
                once + unseenAlone);
    }

    /** Names are few and sorted. */
    private static boolean contains(int[] names, int hash) {
        return Arrays.binarySearch(names, hash) >= 0;
    }

    /** Remembers a look at each; whether one of them had not been looked at within the hour. */
    boolean add(int[] names, int nowS) {
        boolean fresh = false;
        for (int hash : names) {
            int at = indexOf(hash);
            if (at < 0) {
                if (size == hashes.length) {
                    makeRoom(nowS);
                }
                at = size++;
                hashes[at] = hash;
                last[at] = NEVER;
                alone[at] = NEVER;
            }
            fresh |= nowS - last[at] >= HOUR_S;
            before[at] = last[at];
            last[at] = nowS;
            alone[at] = names.length == 1 ? nowS : alone[at];
        }
        return fresh;
    }

    private int indexOf(int hash) {
        for (int i = 0; i < size; i++) {
            if (hashes[i] == hash) {
                return i;
            }
        }
        return -1;
    }

    /** Lets go of what is older than an hour; grows only if that is not enough. */
    private void makeRoom(int nowS) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (nowS - last[i] < HOUR_S) {
                hashes[kept] = hashes[i];
                last[kept] = last[i];
                alone[kept] = alone[i];
                before[kept++] = before[i];
            }
        }
        size = kept;
        if (size * 4 > hashes.length * 3) {
            int length = hashes.length * 2;
            hashes = Arrays.copyOf(hashes, length);
            last = Arrays.copyOf(last, length);
            before = Arrays.copyOf(before, length);
            alone = Arrays.copyOf(alone, length);
        }
    }

    /** After how many seconds these names and the others looked at within a span make no more than so many. */
    int untilHolds(int[] names, int most, int spanS, int nowS) {
        if (names.length > most) {
            return spanS;
        }
        var others = new int[size];
        int count = 0;
        for (int i = 0; i < size; i++) {
            if (nowS - last[i] < spanS && !contains(names, hashes[i])) {
                others[count++] = last[i];
            }
        }
        int leaving = count - (most - names.length);
        if (leaving <= 0) {
            return 0;
        }
        Arrays.sort(others, 0, count);
        return others[leaving - 1] + spanS - nowS;
    }

    /** What it takes in memory, about. */
    int bytes() {
        return 112 + 16 * hashes.length;
    }
}
