package io.fundingobservatory.standalone.top;

import io.fundingobservatory.standalone.terminal.TerminalSize;
import java.io.PrintStream;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Help.Ansi;

/** Where views of a service are shown. */
public sealed interface Display extends AutoCloseable {
    void show(ServiceView view);

    @Override
    default void close() {}

    /** Prints every line unchanged, for files and pipes. */
    record Plain(PrintStream out) implements Display {
        @Override
        public void show(ServiceView view) {
            Screen.lines(view, Screen.UNBOUNDED, Screen.UNBOUNDED).forEach(line -> out.println(line.text()));
            out.flush();
        }
    }

    /** A terminal's second screen, written over in place; the first one is as it was when this is closed. */
    final class FullScreen implements Display {
        private static final String OPEN = "\u001b[?1049h\u001b[?25l";
        private static final String HOME = "\u001b[H";
        private static final String REST_OF_LINE = "\u001b[K";
        private static final String REST_OF_SCREEN = "\u001b[J";
        private static final String CLOSE = "\u001b[?25h\u001b[?1049l";

        private final PrintStream out;
        private final Ansi ansi;
        private final Supplier<TerminalSize> size;

        /**
         * Opens the second screen.
         *
         * @param size read before each refresh, because terminals change theirs
         */
        public FullScreen(PrintStream out, Ansi ansi, Supplier<TerminalSize> size) {
            this.out = out;
            this.ansi = ansi;
            this.size = size;
            out.print(OPEN);
        }

        @Override
        public void show(ServiceView view) {
            TerminalSize terminal = size.get();
            out.print(Screen.lines(view, terminal.columns(), terminal.lines()).stream()
                    .map(line -> line.render(terminal.columns(), ansi) + REST_OF_LINE)
                    .collect(Collectors.joining("\r\n", HOME, REST_OF_SCREEN)));
            out.flush();
        }

        @Override
        public void close() {
            out.print(CLOSE);
            out.flush();
        }
    }
}
