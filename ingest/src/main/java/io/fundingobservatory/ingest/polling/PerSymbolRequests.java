package io.fundingobservatory.ingest.polling;

import io.fundingobservatory.ingest.pacing.Time;
import io.fundingobservatory.ingest.polling.AnswerCache.Entry;
import io.fundingobservatory.ingest.reading.Answers;
import io.fundingobservatory.ingest.reading.Request;
import io.fundingobservatory.ingest.reading.Skip;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Asks the keys of some requests for one round, longest unasked first and the requests in turn, until a moment. */
final class PerSymbolRequests {
    /** So many unanswered keys end a request's turn: each may have cost a whole deadline. */
    private static final int MOST_FAILED = 5;

    private record Turn(Request request, String key, int position, Entry memory, long askedAtMs) {}

    private final PollRound round;
    private final List<Request> requests;
    private final AnswerCache last;
    private final Time time;

    PerSymbolRequests(PollRound round, List<Request> requests, AnswerCache last, Time time) {
        this.round = round;
        this.requests = requests.stream().filter(r -> r.keys() != null).toList();
        this.last = last;
        this.time = time;
    }

    void ask(Predicate<Request> which, long endMs) throws InterruptedException {
        askSome(which, 1, endMs);
    }

    /** Asks for one of so many keys, those that have been unasked for longest; what was never asked is asked in any case. */
    void askSome(Predicate<Request> which, int oneOf, long endMs) throws InterruptedException {
        var failures = new LinkedHashMap<Request, List<String>>();
        var tried = new HashSet<Entry>();
        int most = oneOf == 1 ? Integer.MAX_VALUE : most(turns(which, tried), oneOf);
        boolean more = true;
        // again while answers bring keys for other requests
        while (more) {
            more = false;
            for (Turn turn : turns(which, tried)) {
                if (tried.size() >= most) {
                    more = false;
                    break;
                }
                List<String> failed = failures.computeIfAbsent(turn.request, r -> new ArrayList<>());
                if (failed.size() >= MOST_FAILED) {
                    continue;
                }
                long left = endMs - time.elapsedMs();
                if (left <= 0) {
                    more = false;
                    break;
                }
                Pages pages = round.keyed(turn.request, turn.key, turn.memory, left);
                if (pages.outOfTime()) {
                    more = false;
                    break;
                }
                more = true;
                tried.add(turn.memory);
                if (pages.problem() != null) {
                    failed.add(pages.problem());
                }
            }
        }
        failures.forEach((request, problems) -> {
            if (!problems.isEmpty()) {
                round.missing(request, problems.getLast() + " (" + problems.size() + " keys)");
            }
        });
    }

    private static int most(List<Turn> turns, int oneOf) {
        int never =
                (int) turns.stream().filter(t -> t.askedAtMs == Long.MIN_VALUE).count();
        return Math.max(never, Math.ceilDiv(turns.size(), oneOf));
    }

    private List<Turn> turns(Predicate<Request> which, Set<Entry> tried) {
        var turns = new ArrayList<Turn>();
        for (Request request : requests) {
            if (request.keys() != null && which.test(request)) {
                List<String> keys = keys(request, request.keys());
                last.retain(request, new HashSet<>(keys));
                for (int i = 0; i < keys.size(); i++) {
                    Entry memory = last.of(request, keys.get(i));
                    if (last.isDue(memory) && !tried.contains(memory)) {
                        turns.add(new Turn(request, keys.get(i), i, memory, memory.askedAtMs()));
                    }
                }
            }
        }
        turns.sort(Comparator.comparingLong(Turn::askedAtMs).thenComparingInt(Turn::position));
        return turns;
    }

    private List<String> keys(Request request, Function<Answers, List<String>> keysOf) {
        try {
            return keysOf.apply(round.assemble()).stream().distinct().toList();
        } catch (Skip e) {
            round.missing(request, "its keys are unreadable, " + e.reason());
            return List.of();
        }
    }
}
