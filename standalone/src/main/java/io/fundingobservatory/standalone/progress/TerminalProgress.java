package io.fundingobservatory.standalone.progress;

import io.fundingobservatory.standalone.progress.ExchangeProgress.State;
import io.fundingobservatory.standalone.terminal.Line;
import io.fundingobservatory.standalone.terminal.TerminalSize;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/**
 * Progress on a terminal: lines with the time of day in UTC, and a block below them. The block has a cell for
 * each venue that is still loading, and is written over in place. Other output appears above the block.
 */
public final class TerminalProgress implements Progress {
    private static final int CELL = 26;

    private final PrintStream terminal;
    private final InstantSource clock;
    private final Supplier<TerminalSize> size;
    private List<String> block = List.of();
    private int drawn;

    public TerminalProgress(PrintStream terminal, InstantSource clock, Supplier<TerminalSize> size) {
        this.terminal = terminal;
        this.clock = clock;
        this.size = size;
    }

    @Override
    public void step(String message) {
        LocalTime now = LocalTime.ofInstant(clock.instant(), ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS);
        print((now + "Z " + new Line(message).text() + System.lineSeparator()).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public synchronized void exchange(ExchangeProgress changed, Collection<ExchangeProgress> all) {
        block = block(all);
        erase();
        draw();
    }

    /** A stream of whole lines above the block: for everything else that this process prints. */
    public PrintStream above() {
        return new PrintStream(new WholeLines(), true, StandardCharsets.UTF_8);
    }

    private synchronized void print(byte[] lines) {
        erase();
        terminal.writeBytes(lines);
        draw();
    }

    private List<String> block(Collection<ExchangeProgress> all) {
        List<ExchangeProgress> open = all.stream()
                .filter(exchange -> exchange.state() != State.COMPLETE)
                .toList();
        if (open.isEmpty()) {
            return List.of();
        }
        TerminalSize terminal = size.get();
        var lines = new ArrayList<String>();
        lines.add(new Line(title(all)).cut(terminal.columns() - 1));
        int columns = Math.max(1, (terminal.columns() - 1) / CELL);
        int height = Math.ceilDiv(open.size(), columns);
        int shown = Math.min(height, Math.max(1, terminal.lines() - 3));
        for (int i = 0; i < shown; i++) {
            var line = new StringBuilder();
            for (int at = i; at < open.size(); at += height) {
                line.append("%-26s".formatted(new Line(cell(open.get(at))).cut(CELL - 1)));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    private static String title(Collection<ExchangeProgress> all) {
        long polled = all.stream().filter(ExchangeProgress::isObserved).count();
        long complete = all.stream()
                .filter(exchange -> exchange.state() == State.COMPLETE)
                .count();
        return "exchanges: " + polled + " of " + all.size() + " have responded, " + complete
                + " are read back 30 days; contracts read back of all:";
    }

    /** Such as {@code okx 120/312}. */
    private static String cell(ExchangeProgress exchange) {
        return exchange.venue() + " "
                + switch (exchange.state()) {
                    case WAITING -> "…";
                    case FAILED -> "failed";
                    case READING_HISTORY ->
                        exchange.historyTotal() == null || exchange.historyTotal() == 0
                                ? exchange.contracts() + " contracts"
                                : exchange.historyRead() + "/" + exchange.historyTotal();
                    case COMPLETE -> "complete";
                };
    }

    private void erase() {
        if (drawn > 0) {
            terminal.print("\u001b[" + drawn + "A\u001b[J");
            drawn = 0;
        }
    }

    private void draw() {
        block.forEach(terminal::println);
        drawn = block.size();
        terminal.flush();
    }

    @Override
    public synchronized void close() {
        erase();
        block = List.of();
        terminal.flush();
    }

    /** Keeps the beginning of a line until its end is there. */
    private final class WholeLines extends OutputStream {
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        @Override
        public synchronized void write(int b) {
            line.write(b);
            if (b == '\n') {
                print(line.toByteArray());
                line.reset();
            }
        }
    }
}
