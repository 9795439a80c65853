package io.fundingobservatory.streams.listings;

import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import java.util.HashMap;
import java.util.Map;

/**
 * For how long the group of each contract has been read in all. A contract that is missing from its venue's responses
 * for 7 days of that time is not listed there. The time does not advance while nothing of the group is read, whether we
 * or the venue are down.
 *
 * <p>A group is the contracts of one venue with the same type and quote currency. A venue often serves them from one
 * address, which can fail alone. While only one contract of a group is known, the time of the whole venue counts.
 */
public final class ReadTime {
    /** A venue is read about once a minute; a longer pause than this counts as so much. */
    static final long LONGEST_PAUSE_MS = Window.HOUR_MS;

    private final Map<String, Mark> byVenue = new HashMap<>();
    private final Map<Group, Mark> byGroup = new HashMap<>();

    private record Group(String venue, ContractType type, String quote) {
        private static Group of(ContractKey contract, Identity identity) {
            return new Group(contract.venue(), identity.type(), identity.quote());
        }
    }

    /** {@code symbol} is the first contract that was read; {@code others} is true once another one was read. */
    private record Mark(String symbol, boolean others, long observedAtMs, long readMs) {
        private static Mark first(String symbol, long observedAtMs, long readMs) {
            return new Mark(symbol, false, observedAtMs, readMs);
        }

        private Mark newer(Mark other) {
            Mark newest = other.observedAtMs > observedAtMs ? other : this;
            boolean several = others || !other.symbol.equals(symbol);
            return new Mark(symbol, several, newest.observedAtMs, newest.readMs);
        }

        private Mark readAt(String nowSymbol, long nowMs) {
            long pauseMs = Math.max(0, nowMs - observedAtMs);
            return newer(first(nowSymbol, nowMs, readMs + Math.min(pauseMs, LONGEST_PAUSE_MS)));
        }
    }

    /** Takes up what a contract's state says, after a start; the newest of a group, and of a venue, counts. */
    public synchronized void restore(ContractKey contract, Listing listing) {
        Mark mark = Mark.first(contract.symbol(), listing.observedAtMs(), listing.readMs());
        byVenue.merge(contract.venue(), mark, Mark::newer);
        byGroup.merge(Group.of(contract, listing.identity()), mark, Mark::newer);
    }

    /** For how long the contract's group, or its venue, had been read in all when the contract was, ms. */
    public synchronized long at(ContractKey contract, Identity identity, long observedAtMs) {
        Mark venue = read(byVenue, contract.venue(), contract.symbol(), observedAtMs);
        Mark group = read(byGroup, Group.of(contract, identity), contract.symbol(), observedAtMs);
        return (group.others ? group : venue).readMs;
    }

    private static <K> Mark read(Map<K, Mark> marks, K name, String symbol, long observedAtMs) {
        Mark before = marks.get(name);
        Mark now = before == null ? Mark.first(symbol, observedAtMs, 0) : before.readAt(symbol, observedAtMs);
        marks.put(name, now);
        return now;
    }
}
