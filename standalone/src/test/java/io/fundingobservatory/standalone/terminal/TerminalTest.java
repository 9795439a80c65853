package io.fundingobservatory.standalone.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.standalone.terminal.Table.Align;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cells below each other, and how much fits. */
class TerminalTest {
    @Test
    void tableIsAsWideAsItsCells() {
        var table = new Table().column("a", Align.LEFT).column("b", Align.POINT).column("c", Align.RIGHT);
        table.row("x", "-1.5", "7");
        table.row("longer", "10", "100");
        assertEquals(List.of("a          b    c", "x       -1.5    7", "longer  10    100"), table.lines());
    }

    @Test
    void readsTerminalSizeFromStty() {
        assertEquals(new TerminalSize(132, 50), TerminalSize.parse("50 132\n"));
        assertEquals(new TerminalSize(80, 24), TerminalSize.parse("stty: standard input: not a terminal"));
        assertEquals(new TerminalSize(80, 24), TerminalSize.parse("0 0\n"));
    }
}
