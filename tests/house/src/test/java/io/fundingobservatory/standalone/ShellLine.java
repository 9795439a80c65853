package io.fundingobservatory.standalone;

import java.util.ArrayList;
import java.util.List;

/** Splits a line of a shell into its commands and their words. Knows quotes, {@code ;}, {@code |}, {@code &&} and {@code >}. */
final class ShellLine {
    private final List<List<String>> commands = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private List<String> words = new ArrayList<>();
    private boolean begun;

    private ShellLine() {}

    /** Returns the words of each command, without quotes, assignments before it, loops and redirections. */
    static List<List<String>> commands(String line) {
        var read = new ShellLine();
        char quote = 0;
        for (char c : line.replace(" && ", " ; ").toCharArray()) {
            if (quote != 0) {
                quote = c == quote ? 0 : read.add(c, quote);
            } else if (c == '\'' || c == '"') {
                quote = c;
                read.begun = true;
            } else if (c == ';' || c == '|') {
                read.endCommand();
            } else if (Character.isWhitespace(c)) {
                read.endWord();
            } else {
                read.add(c, quote);
            }
        }
        read.endCommand();
        return read.commands;
    }

    private char add(char c, char quote) {
        word.append(c);
        begun = true;
        return quote;
    }

    private void endWord() {
        if (begun) {
            words.add(word.toString());
        }
        word.setLength(0);
        begun = false;
    }

    private void endCommand() {
        endWord();
        while (!words.isEmpty()
                && (words.getFirst().matches("[A-Z_]+=.*") || words.getFirst().equals("do"))) {
            words.removeFirst();
        }
        int redirection = words.indexOf(">");
        if (redirection >= 0) {
            words = words.subList(0, redirection);
        }
        boolean loop = !words.isEmpty() && List.of("for", "done").contains(words.getFirst());
        if (!words.isEmpty() && !loop) {
            commands.add(words);
        }
        words = new ArrayList<>();
    }
}
