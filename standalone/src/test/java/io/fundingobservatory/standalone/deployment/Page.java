package io.fundingobservatory.standalone.deployment;

import io.fundingobservatory.testbed.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A page of the documentation: its sections and their tables. */
final class Page {
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private final Map<String, String> sections = new LinkedHashMap<>();
    private final String text;

    private Page(String text) {
        this.text = text;
    }

    /** All pages for operators, {@code docs/operations}. */
    static Page operations() throws IOException {
        var text = new StringBuilder();
        try (Stream<Path> files = Files.list(Checkout.ROOT.resolve("docs/operations"))) {
            for (Path file : files.sorted().toList()) {
                text.append(Files.readString(file)).append('\n');
            }
        }
        return of(text.toString());
    }

    static Page read(String file) throws IOException {
        return of(Files.readString(Checkout.ROOT.resolve(file)));
    }

    private static Page of(String text) {
        var page = new Page(text);
        for (String section : text.split("(?m)^## ")) {
            int end = section.indexOf('\n');
            page.sections.put(section.substring(0, end).strip(), section.substring(end));
        }
        return page;
    }

    String text() {
        return text;
    }

    String section(String title) {
        String section = sections.get(title);
        if (section == null) {
            throw new AssertionError("no section " + title + " among " + sections.keySet());
        }
        return section;
    }

    /** The rows of a section's tables, their heads and rules left out, as cells. */
    List<List<String>> rows(String title) {
        var rows = new ArrayList<List<String>>();
        List<String> lines = section(title).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            boolean head = i + 1 < lines.size() && lines.get(i + 1).startsWith("|---");
            if (lines.get(i).startsWith("| ") && !head) {
                rows.add(Arrays.stream(lines.get(i).substring(1).split("\\|", -1))
                        .map(String::strip)
                        .toList());
            }
        }
        if (rows.isEmpty()) {
            throw new AssertionError("no table in " + title);
        }
        return rows;
    }

    /** What is written as code, in order. */
    static Stream<String> code(String text) {
        Matcher matcher = CODE.matcher(text);
        return matcher.results().map(found -> found.group(1));
    }
}
