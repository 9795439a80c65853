package io.fundingobservatory.ingest.polling;

import io.fundingobservatory.ingest.fetching.Call;
import io.fundingobservatory.ingest.fetching.Exchanges;
import io.fundingobservatory.ingest.fetching.Fetched;
import io.fundingobservatory.ingest.reading.Answers;
import io.fundingobservatory.ingest.reading.Answers.Answer;
import io.fundingobservatory.ingest.reading.Node;
import io.fundingobservatory.ingest.reading.Request;
import io.fundingobservatory.ingest.reading.Request.Cadence;
import io.fundingobservatory.ingest.reading.Skip;
import io.fundingobservatory.ingest.reading.Venue;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Asks an exchange, one request after the other, within its hosts' gates.
 *
 * <p>Order of a round: lists that are due, then the figures, then what is asked key by key, longest unasked first and only for as
 * long as the round may take. Last good lists stay at hand for a day; figures are never used twice, except those asked key by key,
 * whose rows carry their own time and which count for 180 s.
 */
public final class AskingGathering implements Gathering {
    private static final Duration LISTS_KEPT = Duration.ofDays(1);
    private static final Duration SELDOM_KEPT = Duration.ofDays(3);
    private static final Duration KEYED_FIGURES_KEPT = Duration.ofMinutes(3);
    private static final long LONGEST_WAIT_MS = 60_000;

    /** How long a round waits for what is asked seldom; the rest of it is learnt between rounds. */
    private static final long LEARNING_MS = 8_000;

    private static final int MOST_PAGES = 100;

    /** So many unanswered keys end a request's turn: each may have cost a whole deadline. */
    private static final int KEYS_FAILED = 5;

    /** What is remembered of a request, or of one key of it. */
    private static final class Memory {
        private List<Answer> last = List.of();
        private long goodAtMs = Long.MIN_VALUE;
        private long askedAtMs = Long.MIN_VALUE;
        private long dueAtMs = Long.MIN_VALUE;
    }

    private final Venue venue;
    private final Exchanges exchanges;
    private final Time time;
    private final RandomGenerator random;
    private final Map<String, HostGate> gates = new HashMap<>();
    private final Map<String, Map<String, Memory>> memories = new HashMap<>();
    private @Nullable Round latest;

    public AskingGathering(Venue venue, Exchanges exchanges, Time time, RandomGenerator random) {
        this.venue = venue;
        this.exchanges = exchanges;
        this.time = time;
        this.random = random;
    }

    @Override
    public Gathered round(Duration forKeys) throws InterruptedException {
        var round = new Round();
        List<Request> requests = venue.header().requests();
        for (Request request : requests) {
            if (request.keys() == null && request.cadence() != Cadence.MINUTE) {
                round.list(request);
            }
        }
        for (Request request : requests) {
            if (request.keys() == null && request.cadence() == Cadence.MINUTE) {
                round.figures(request);
            }
        }
        long begun = time.elapsedMs();
        round.keyByKey(r -> r.cadence() != Cadence.MINUTE, begun + Math.min(LEARNING_MS, forKeys.toMillis()));
        round.keyByKey(r -> r.cadence() == Cadence.MINUTE, begun + forKeys.toMillis());
        latest = round;
        return new Gathered(round.assemble(), round.fresh(), round.readAtMs(), round.asked, round.missing);
    }

    /** Key by key what is asked seldom, which a round leaves off early so as not to hold the figures up. */
    @Override
    public void learn(Duration forKeys) throws InterruptedException {
        if (latest != null) {
            latest.keyByKey(r -> r.cadence() != Cadence.MINUTE, time.elapsedMs() + forKeys.toMillis());
        }
    }

    @Override
    public Optional<Fetched> aside(Call call, Duration mayWait) throws InterruptedException {
        HostGate gate = gate(call.url());
        if (latest == null || gate.closedBecause(time.elapsedMs()) != null) {
            return Optional.empty();
        }
        int figures = latest.figuresWeight.getOrDefault(hostOf(call.url()), 0);
        long wait = gate.waitMs(call.weight(), figures, time.elapsedMs());
        if (wait > mayWait.toMillis()) {
            return Optional.empty();
        }
        if (wait > 0) {
            time.pause(Duration.ofMillis(wait));
        }
        gate.spend(call.weight(), time.elapsedMs());
        Fetched fetched = exchanges.fetch(venue, call);
        switch (fetched) {
            case Fetched.Answered answered -> gate.answered();
            case Fetched.Throttled(String reason, Duration retryAfter) ->
                gate.throttled(reason, retryAfter, time.elapsedMs());
            case Fetched.Barred(String reason, Duration retryAfter) ->
                gate.barred(reason, retryAfter, time.elapsedMs());
            case Fetched.Failed failed -> {}
        }
        return Optional.of(fetched);
    }

    @Override
    public Answers atHand() {
        return latest == null ? new Answers() : latest.assemble();
    }

    @Override
    public boolean barred() {
        return gates.values().stream().anyMatch(g -> g.barring(time.elapsedMs()));
    }

    /** One round in the making. */
    private final class Round {
        private final Map<String, List<Answer>> plain = new LinkedHashMap<>();
        private final List<String> missing = new ArrayList<>();
        private final Map<String, Integer> figuresWeight = new HashMap<>();
        private boolean freshFigures;
        private int asked;

        void list(Request request) throws InterruptedException {
            Memory memory = memory(request, "");
            String problem = null;
            if (time.elapsedMs() >= memory.dueAtMs) {
                Pages pages = pages(request, "", LONGEST_WAIT_MS);
                problem = pages.problem;
                if (problem == null) {
                    remember(memory, request, pages.answers);
                }
            }
            if (atHand(memory, request)) {
                plain.put(request.name(), memory.last);
            } else {
                missing.add(request.name() + ": " + problem);
            }
        }

        void figures(Request request) throws InterruptedException {
            Pages pages = pages(request, "", LONGEST_WAIT_MS);
            // the pages that came are good figures even when a later one did not
            if (!pages.answers.isEmpty()) {
                plain.put(request.name(), pages.answers);
                freshFigures = true;
            }
            if (pages.problem != null) {
                missing.add(request.name() + ": " + pages.problem);
            }
        }

        boolean fresh() {
            return freshFigures;
        }

        /** When the oldest figure at hand was read. */
        @Nullable
        Long readAtMs() {
            Long oldest = null;
            for (Request request : venue.header().requests()) {
                if (request.cadence() == Cadence.MINUTE) {
                    for (Answer answer : assemble().all(request.name())) {
                        oldest = oldest == null ? answer.readAtMs() : Math.min(oldest, answer.readAtMs());
                    }
                }
            }
            return oldest;
        }

        Answers assemble() {
            var answers = new Answers();
            plain.forEach((name, of) -> of.forEach(a -> answers.add(name, a)));
            for (Request request : venue.header().requests()) {
                if (request.keys() != null) {
                    for (Memory memory : known(request).values()) {
                        if (atHand(memory, request)) {
                            memory.last.forEach(a -> answers.add(request.name(), a));
                        }
                    }
                }
            }
            return answers;
        }

        /** Asks the keys of some requests, longest unasked first and the requests in turn, until a moment. */
        void keyByKey(Predicate<Request> which, long endMs) throws InterruptedException {
            var failures = new LinkedHashMap<Request, List<String>>();
            var tried = new HashSet<Memory>();
            boolean more = true;
            // again while answers bring keys for other requests
            while (more) {
                more = false;
                for (Turn turn : turns(which, tried)) {
                    List<String> failed = failures.computeIfAbsent(turn.request, r -> new ArrayList<>());
                    if (failed.size() >= KEYS_FAILED) {
                        continue;
                    }
                    long left = endMs - time.elapsedMs();
                    Pages pages = left <= 0 ? Pages.outOfTime() : pages(turn.request, turn.key, left);
                    if (pages.outOfTime) {
                        more = false;
                        break;
                    }
                    more = true;
                    tried.add(turn.memory);
                    turn.memory.askedAtMs = time.elapsedMs();
                    if (pages.problem == null) {
                        remember(turn.memory, turn.request, pages.answers);
                        freshFigures |= turn.request.cadence() == Cadence.MINUTE;
                    } else {
                        failed.add(pages.problem);
                    }
                }
            }
            failures.forEach((request, problems) -> {
                if (!problems.isEmpty()) {
                    missing.add(request.name() + ": " + problems.getLast() + " (" + problems.size() + " keys)");
                }
            });
        }

        private List<Turn> turns(Predicate<Request> which, Set<Memory> tried) {
            var turns = new ArrayList<Turn>();
            for (Request request : venue.header().requests()) {
                if (request.keys() != null && which.test(request)) {
                    List<String> keys = keys(request, request.keys());
                    known(request).keySet().retainAll(new HashSet<>(keys));
                    for (int i = 0; i < keys.size(); i++) {
                        Memory memory = memory(request, keys.get(i));
                        if (time.elapsedMs() >= memory.dueAtMs && !tried.contains(memory)) {
                            turns.add(new Turn(request, keys.get(i), i, memory, memory.askedAtMs));
                        }
                    }
                }
            }
            turns.sort(Comparator.comparingLong(Turn::askedAtMs).thenComparingInt(Turn::position));
            return turns;
        }

        private List<String> keys(Request request, Function<Answers, List<String>> keysOf) {
            try {
                return keysOf.apply(assemble()).stream().distinct().toList();
            } catch (Skip e) {
                missing.add(request.name() + ": its keys are unreadable, " + e.reason());
                return List.of();
            }
        }

        /** All pages of one request; on a problem those that came before it. */
        private Pages pages(Request request, String key, long mayWaitMs) throws InterruptedException {
            var pages = new Pages();
            var seen = new HashSet<String>();
            Optional<String> next = Optional.of("");
            while (next.isPresent()) {
                if (!seen.add(next.get()) || seen.size() > MOST_PAGES) {
                    pages.problem = "its pages never end";
                    return pages;
                }
                Call call = Call.of(request, key, next.get());
                HostGate gate = gate(call.url());
                String closed = gate.closedBecause(time.elapsedMs());
                if (closed != null) {
                    pages.problem = closed + ", not asked again for "
                            + (gate.closedForMs(time.elapsedMs()) + 999) / 1000 + " s";
                    return pages;
                }
                long wait = gate.waitMs(call.weight(), time.elapsedMs());
                if (wait > mayWaitMs) {
                    pages.problem = "no room in our share of the published limit";
                    pages.outOfTime = true;
                    return pages;
                }
                if (wait > 0) {
                    time.pause(Duration.ofMillis(wait));
                }
                gate.spend(call.weight(), time.elapsedMs());
                if (request.keys() == null && request.cadence() == Cadence.MINUTE) {
                    figuresWeight.merge(hostOf(call.url()), call.weight(), Integer::sum);
                }
                asked++;
                switch (exchanges.fetch(venue, call)) {
                    case Fetched.Answered(Node body, long at) -> {
                        gate.answered();
                        pages.answers.add(new Answer(key, body, at));
                        next = next(request, body);
                    }
                    case Fetched.Throttled(String reason, Duration retryAfter) -> {
                        gate.throttled(reason, retryAfter, time.elapsedMs());
                        pages.problem = reason;
                        return pages;
                    }
                    case Fetched.Barred(String reason, Duration retryAfter) -> {
                        gate.barred(reason, retryAfter, time.elapsedMs());
                        pages.problem = reason;
                        return pages;
                    }
                    case Fetched.Failed(String reason, boolean retryable) -> {
                        pages.problem = reason;
                        return pages;
                    }
                }
            }
            return pages;
        }

        private Optional<String> next(Request request, Node body) {
            try {
                return request.nextPage() == null
                        ? Optional.empty()
                        : request.nextPage().apply(body);
            } catch (Skip e) {
                return Optional.empty();
            }
        }
    }

    private record Turn(Request request, String key, int position, Memory memory, long askedAtMs) {}

    /** The pages of one request and, when it could not be asked to its end, why. */
    private static final class Pages {
        private final List<Answer> answers = new ArrayList<>();
        private @Nullable String problem;
        private boolean outOfTime;

        private static Pages outOfTime() {
            var pages = new Pages();
            pages.outOfTime = true;
            return pages;
        }
    }

    private boolean atHand(Memory memory, Request request) {
        return memory.goodAtMs != Long.MIN_VALUE
                && time.elapsedMs() - memory.goodAtMs <= kept(request).toMillis();
    }

    private Map<String, Memory> known(Request request) {
        return memories.computeIfAbsent(request.name(), n -> new LinkedHashMap<>());
    }

    private Memory memory(Request request, String key) {
        return known(request).computeIfAbsent(key, k -> new Memory());
    }

    private void remember(Memory memory, Request request, List<Answer> answers) {
        long now = time.elapsedMs();
        memory.last = List.copyOf(answers);
        memory.goodAtMs = now;
        long period = switch (request.cadence()) {
            case MINUTE -> 0;
            case HOURLY -> Duration.ofHours(1).toMillis();
            case DAILY -> Duration.ofDays(1).toMillis();
        };
        // up to a tenth earlier, so that what was learnt in one go at the start does not come due in one go
        memory.dueAtMs = now + period - (long) (period * random.nextDouble() / 10);
    }

    private static Duration kept(Request request) {
        return switch (request.cadence()) {
            case MINUTE -> KEYED_FIGURES_KEPT;
            case HOURLY -> LISTS_KEPT;
            case DAILY -> SELDOM_KEPT;
        };
    }

    private HostGate gate(String url) {
        return gates.computeIfAbsent(
                hostOf(url), h -> new HostGate(h, venue.header().limits()));
    }

    private static String hostOf(String url) {
        try {
            return Objects.requireNonNullElse(new URI(url).getHost(), "");
        } catch (URISyntaxException e) {
            // asked all the same: the answer says what is wrong with it
            return "";
        }
    }
}
