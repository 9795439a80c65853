package io.fundingobservatory.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/**
 * The walks of {@code ARCHITECTURE.md}, compared with the methods that a running program enters. The JVM records each method
 * that a walk names, with its callers (<a href="https://openjdk.org/jeps/520">JEP 520</a>).
 *
 * <p>A step holds where its class is entered from another one after the step before, called by earlier steps. Up to the outermost of
 * these there is no other class of the project. No later step is among its callers. A step without such a caller begins a thread,
 * a timer or the work of a framework. The first step may have any other caller. Of {@code Class#method} that method alone counts.
 */
public final class RecordedWalks implements AutoCloseable {
    private static final String BASE = "io.fundingobservatory.";
    private static final String CHAPTER = "## Walks";
    private static final Pattern STEP = Pattern.compile("\\d+\\. `([a-z.]+\\.[A-Z]\\w+(?:#\\w+)?)`.*");

    private final Map<String, List<String>> walks;
    private final Recording recording = new Recording();

    private final Map<String, Instant> begins = new HashMap<>();
    private final Map<String, Instant> ends = new HashMap<>();

    /** One entry into a method. */
    private record Call(Instant at, String type, String method, List<String> callers) {}

    private RecordedWalks(Map<String, List<String>> walks) {
        this.walks = walks;
    }

    /** Returns the classes of each walk, without {@code io.fundingobservatory}, by heading. */
    public static Map<String, List<String>> onPage() throws IOException {
        String page = Files.readString(Checkout.ROOT.resolve("ARCHITECTURE.md"));
        var walks = new LinkedHashMap<String, List<String>>();
        List<String> steps = new ArrayList<>();
        for (String line : page.substring(page.indexOf(CHAPTER)).lines().skip(1).toList()) {
            if (line.startsWith("## ")) {
                break;
            }
            Matcher step = STEP.matcher(line);
            if (line.startsWith("### ")) {
                steps = new ArrayList<>();
                walks.put(line.substring(4), steps);
            } else if (step.matches()) {
                steps.add(step.group(1));
            }
        }
        return walks;
    }

    /** Begins to record the classes of walks of the page. */
    public static RecordedWalks start(String... headings) throws IOException {
        Map<String, List<String>> page = onPage();
        var walks = new LinkedHashMap<String, List<String>>();
        for (String heading : headings) {
            List<String> steps = page.get(heading);
            if (steps == null) {
                throw new AssertionError("no walk " + heading + " among " + page.keySet());
            }
            walks.put(heading, steps);
        }
        // By name alone: a class that is loaded and not yet linked would be broken by its instrumentation.
        String names = walks.values().stream()
                .flatMap(List::stream)
                .map(step -> BASE + step.replace("#", "::"))
                .distinct()
                .collect(Collectors.joining(";"));
        var recorded = new RecordedWalks(walks);
        recorded.recording
                .enable("jdk.MethodTrace")
                .with("filter", names)
                .with("threshold", "0 ns")
                .with("stackTrace", "true");
        recorded.recording.start();
        return recorded;
    }

    /** What was entered before does not count for a walk. */
    public void from(String heading) {
        begins.put(heading, Instant.now());
    }

    /** What is entered from now on does not count for a walk. */
    public void until(String heading) {
        ends.put(heading, Instant.now());
    }

    /** Returns the steps that were not entered in the order of the page, each with what was found; empty when all were. */
    public List<String> problems() throws IOException, ClassNotFoundException {
        recording.stop();
        Path file = Files.createTempFile("walks", ".jfr");
        try {
            recording.dump(file);
            List<Call> calls = calls(file);
            var problems = new ArrayList<String>();
            for (var walk : walks.entrySet()) {
                Instant begin = begins.getOrDefault(walk.getKey(), Instant.MIN);
                Instant end = ends.getOrDefault(walk.getKey(), Instant.MAX);
                List<Call> meanwhile = calls.stream()
                        .filter(call -> call.at().isAfter(begin) && call.at().isBefore(end))
                        .toList();
                follow(walk.getKey(), walk.getValue(), meanwhile, problems);
            }
            return problems;
        } finally {
            Files.delete(file);
        }
    }

    private static List<Call> calls(Path file) throws IOException {
        var calls = new ArrayList<Call>();
        try (var events = new RecordingFile(file)) {
            while (events.hasMoreEvents()) {
                RecordedEvent event = events.readEvent();
                if (event.getEventType().getName().equals("jdk.MethodTrace")) {
                    RecordedMethod method = event.getValue("method");
                    if (!method.getName().startsWith("<")) {
                        calls.add(new Call(
                                event.getStartTime(),
                                outer(method.getType().getName()),
                                method.getName(),
                                callers(event)));
                    }
                }
            }
        }
        calls.sort(Comparator.comparing(Call::at));
        return calls;
    }

    /** The classes of the project above a method, the nearest first; those that a framework generated are left out. */
    private static List<String> callers(RecordedEvent event) {
        return event.getStackTrace() == null
                ? List.of()
                : event.getStackTrace().getFrames().stream()
                        .map(frame -> frame.getMethod().getType().getName())
                        .filter(name -> name.startsWith(BASE) && !name.contains(".$"))
                        .map(RecordedWalks::outer)
                        .toList();
    }

    private static String type(String step) {
        return step.replaceFirst("#.*", "");
    }

    private static String outer(String type) {
        int nested = type.indexOf('$');
        return (nested < 0 ? type : type.substring(0, nested)).replace(BASE, "");
    }

    private static void follow(String walk, List<String> steps, List<Call> calls, List<String> problems)
            throws ClassNotFoundException {
        Instant after = Instant.MIN;
        Set<String> earlier = new LinkedHashSet<>();
        for (int i = 0; i < steps.size(); i++) {
            Set<String> before = earlier;
            String[] step = steps.get(i).split("#", 2);
            Set<String> own = withSupertypes(step[0]);
            Instant from = after;
            List<Call> entered = calls.stream()
                    .filter(call -> call.type().equals(step[0]) && call.at().isAfter(from))
                    .filter(call -> step.length == 1 || call.method().equals(step[1]))
                    .toList();
            Set<String> later = steps.subList(i + 1, steps.size()).stream()
                    .map(RecordedWalks::type)
                    .collect(Collectors.toCollection(LinkedHashSet::new));
            later.removeAll(before);
            later.removeAll(own);
            boolean first = i == 0;
            var found = entered.stream()
                    .filter(call -> Collections.disjoint(call.callers(), later))
                    .filter(call -> first || strangers(call, own, before).isEmpty())
                    .findFirst();
            if (found.isEmpty()) {
                problems.add(walk + ": " + steps.get(i) + " is entered " + entered.size()
                        + " times after the step before, by "
                        + entered.stream()
                                .map(call -> strangers(call, own, before).toString())
                                .distinct()
                                .limit(5)
                                .collect(Collectors.joining(" or ")));
                return;
            }
            after = found.get().at();
            earlier = new LinkedHashSet<>(before);
            earlier.addAll(own);
        }
    }

    /** The callers that are no steps so far; those outside of the outermost step do not count. */
    private static Set<String> strangers(Call call, Set<String> own, Set<String> before) {
        List<String> callers = call.callers().stream().dropWhile(own::contains).toList();
        int end = callers.size();
        while (end > 0 && !before.contains(callers.get(end - 1))) {
            end--;
        }
        var strangers = new LinkedHashSet<>(end == 0 ? callers : callers.subList(0, end));
        strangers.removeAll(before);
        return strangers;
    }

    private static Set<String> withSupertypes(String step) throws ClassNotFoundException {
        var types = new LinkedHashSet<String>();
        for (Class<?> type = Class.forName(BASE + step); type != null; type = type.getSuperclass()) {
            types.add(outer(type.getName()));
        }
        return types;
    }

    @Override
    public void close() {
        recording.close();
    }
}
