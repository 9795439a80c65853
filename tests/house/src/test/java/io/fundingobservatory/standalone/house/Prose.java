package io.fundingobservatory.standalone.house;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The prose of one file: its paragraphs, list items and table cells without code. Markdown gives one text, a Java file one for each
 * Javadoc comment.
 *
 * @param file path from the project's root
 * @param paragraphs paragraphs, list items and table rows; a code span is replaced by one word
 */
public record Prose(String file, List<String> paragraphs) {
    private static final Pattern FRONT_MATTER = Pattern.compile("\\A---\n.*?\n---\n", Pattern.DOTALL);
    private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```");
    private static final Pattern SPAN = Pattern.compile("`[^`]*`");
    private static final Pattern JAVADOC = Pattern.compile("(?s)/\\*\\*(.*?)\\*/");
    private static final Pattern JAVADOC_CODE = Pattern.compile("(?s)\\{@code[^}]*}|<pre>.*?</pre>");
    private static final Pattern BREAK =
            Pattern.compile("\n\\s*\n|<p>|<li>|\n(?=\\s*(?:[-*|#>]|\\d+\\.) )|@param|@return|@throws");
    private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?])\\s+");
    private static final Pattern WORD = Pattern.compile("\\S*\\w\\S*");

    /** The Markdown pages of the project, without built files. */
    static List<Prose> pages(Path root) throws IOException {
        var pages = new ArrayList<Prose>();
        for (Path file : files(root, ".md")) {
            String text = FRONT_MATTER.matcher(Files.readString(file)).replaceFirst("");
            text = SPAN.matcher(FENCED.matcher(text).replaceAll("")).replaceAll("code");
            pages.add(new Prose(root.relativize(file).toString(), paragraphs(text)));
        }
        return pages;
    }

    /** The Javadoc comments of all Java files, tests included. */
    static List<Prose> javadoc(Path root) throws IOException {
        var comments = new ArrayList<Prose>();
        for (Path file : files(root, ".java")) {
            String name = root.relativize(file).toString();
            for (MatchResult found :
                    JAVADOC.matcher(Files.readString(file)).results().toList()) {
                String text = found.group(1).replaceAll("(?m)^\\s*\\* ?", "");
                comments.add(
                        new Prose(name, paragraphs(JAVADOC_CODE.matcher(text).replaceAll("code"))));
            }
        }
        return comments;
    }

    /** The files with an ending, without built ones, sorted. */
    public static List<Path> files(Path root, String ending) throws IOException {
        try (Stream<Path> paths = Files.walk(root)) {
            return paths.filter(path -> path.toString().endsWith(ending))
                    .filter(path -> Stream.of("target", ".git", "node_modules", "data")
                            .noneMatch(built ->
                                    root.relativize(path).toString().matches("(.*/)?" + Pattern.quote(built) + "/.*")))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> paragraphs(String text) {
        return Arrays.stream(BREAK.split(text))
                .map(paragraph -> String.join(" ", paragraph.strip().split("\\s+")))
                .filter(paragraph -> !paragraph.isEmpty())
                .toList();
    }

    /** Sentences; a row of a table is none. */
    List<String> sentences() {
        return paragraphs.stream()
                .filter(paragraph -> !paragraph.startsWith("|"))
                .flatMap(SENTENCE_END::splitAsStream)
                .toList();
    }

    /** Words of all paragraphs. */
    int words() {
        return paragraphs.stream().mapToInt(Prose::words).sum();
    }

    /** Words of a text: whatever has a letter or a digit. */
    static int words(String text) {
        return (int) WORD.matcher(text).results().count();
    }
}
