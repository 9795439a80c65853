package io.fundingobservatory.gateway.traffic;

import java.util.Arrays;

/**
 * When each name was looked at last and the time before, over an hour. Names are held as hashes: two of them are taken for one
 * about once in a hundred thousand clients.
 */
final class NameHistory {
    private static final int HOUR_S = 3_600;
    private static final int NEVER = Integer.MIN_VALUE / 2;
    private static final int FIRST = 4;

    private int[] hashes = new int[FIRST];
    private int[] last = new int[FIRST];
    private int[] before = new int[FIRST];
    private int size;

    /** What a request would make of them. */
    record Count(int fresh, int inWindow, int onceInWindow, int inHour, boolean othersInWindow) {}

    /** Counts as if the request's names had been looked at. */
    Count with(int[] names, int nowS, int windowS) {
        int inWindow = 0;
        int once = 0;
        int inHour = 0;
        int known = 0;
        int here = 0;
        boolean others = false;
        for (int i = 0; i < size; i++) {
            boolean named = contains(names, hashes[i]);
            here += named ? 1 : 0;
            known += named && nowS - last[i] < HOUR_S ? 1 : 0;
            boolean recent = nowS - last[i] < windowS;
            inHour += named || nowS - last[i] < HOUR_S ? 1 : 0;
            inWindow += named || recent ? 1 : 0;
            others |= recent && !named;
            int earlier = named ? last[i] : before[i];
            once += (named || recent) && nowS - earlier >= windowS ? 1 : 0;
        }
        int unseen = names.length - here;
        return new Count(names.length - known, inWindow + unseen, once + unseen, inHour + unseen, others);
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
            }
            fresh |= nowS - last[at] >= HOUR_S;
            before[at] = last[at];
            last[at] = nowS;
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
                before[kept++] = before[i];
            }
        }
        size = kept;
        if (size * 4 > hashes.length * 3) {
            int length = hashes.length * 2;
            hashes = Arrays.copyOf(hashes, length);
            last = Arrays.copyOf(last, length);
            before = Arrays.copyOf(before, length);
        }
    }

    /** After how many seconds no more than so many of these names have been looked at within an hour. */
    int untilHourHolds(int most, int nowS) {
        int[] sorted = Arrays.copyOf(last, size);
        Arrays.sort(sorted);
        int leaving = size - Math.max(0, most) - 1;
        return leaving < 0 ? 0 : Math.max(0, sorted[leaving] + HOUR_S - nowS);
    }

    /** What it takes in memory, about. */
    int bytes() {
        return 96 + 12 * hashes.length;
    }
}
