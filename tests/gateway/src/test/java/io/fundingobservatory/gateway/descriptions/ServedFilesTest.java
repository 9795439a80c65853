package io.fundingobservatory.gateway.descriptions;

import static io.fundingobservatory.gateway.fixture.Responses.header;
import static io.fundingobservatory.gateway.fixture.Responses.json;
import static io.fundingobservatory.gateway.fixture.Responses.tree;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fundingobservatory.gateway.core.site.UnitsWalk;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.fundingobservatory.testbed.Checkout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The files that the service describes itself with: complete, what their digests say, and without a dead link. */
class ServedFilesTest {
    private static final Path SKILL = Checkout.ROOT.resolve("skills/funding-rates/SKILL.md");

    private final RunningGateway gateway = RunningGateway.serving(3);

    private String text(String endpoint) {
        return new String(gateway.get(endpoint).body(), StandardCharsets.UTF_8);
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    @Test
    void manifestDigestsMatchServedBytes() throws Exception {
        JsonNode files = json(gateway.get("/manifest.json")).path("files");
        assertTrue(files.size() > 15, files.toString());
        for (JsonNode file : files) {
            var served = gateway.get(file.path("path").asText());
            byte[] bytes = served.body();
            assertEquals(file.path("content_type").asText(), header(served, "Content-Type"));
            assertEquals(file.path("sha256").asText(), sha256(bytes), file.toString());
            assertEquals(file.path("bytes").asInt(), bytes.length);
        }
    }

    @Test
    void changesAreThoseOfChangelog() throws Exception {
        List<String> changelog = Files.readAllLines(Checkout.ROOT.resolve("CHANGELOG.md"));
        JsonNode changes = tree(gateway.get("/changes.json").body());
        UnitsWalk.check(changes);
        JsonNode releases = changes.path("releases");
        assertEquals(
                changelog.stream()
                        .filter(line -> line.startsWith("## "))
                        .map(line -> line.substring(3))
                        .toList(),
                releases.findValuesAsText("release"));
        int count = 0;
        for (JsonNode release : releases) {
            count += release.path("changes").size();
        }
        assertEquals(changelog.stream().filter(line -> line.startsWith("- ")).count(), count);
    }

    @Test
    void securityTxtIsUnknownWithoutContact() {
        assertEquals(
                404, RunningGateway.starting().get("/.well-known/security.txt").statusCode());
    }

    @Test
    void skillAndIndexMatchFileByteForByte() throws Exception {
        byte[] skill = gateway.get("/skills/funding-rates/SKILL.md").body();
        assertArrayEquals(Files.readAllBytes(SKILL), skill);
        JsonNode index =
                tree(gateway.get("/.well-known/agent-skills/index.json").body()).at("/skills/0");
        assertEquals("sha256:" + sha256(skill), index.path("digest").asText());
        assertEquals(
                FrontMatter.of(new String(skill, StandardCharsets.UTF_8)).path("description"),
                index.path("description"));
        assertEquals(
                "/skills/" + index.path("name").asText() + "/SKILL.md",
                index.path("url").asText());
    }

    @Test
    void everyFileIsInApiCatalogue() {
        var response = gateway.get("/.well-known/api-catalog");
        assertEquals(
                "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"",
                header(response, "Content-Type"));
        List<String> catalogued = tree(response.body()).findValuesAsText("href");
        for (JsonNode file : json(gateway.get("/manifest.json")).path("files")) {
            String path = file.path("path").asText();
            boolean elsewhere = path.startsWith("/page/")
                    || List.of("/robots.txt", "/.well-known/api-catalog", "/.well-known/security.txt")
                            .contains(path);
            assertTrue(elsewhere || catalogued.contains(path), path + " is in no catalogue");
        }
    }

    /** Links of the page and its scripts, of the catalogue, the index, errors and llms.txt. */
    @Test
    void everyLinkLeadsSomewhereOnThisService() {
        var found = new ArrayList<String>();
        Pattern.compile("(?:href|src)=\"([^\"#]+)\"")
                .matcher(text("/"))
                .results()
                .forEach(l -> found.add(l.group(1)));
        String script = text("/page/page.js");
        Pattern.compile("/api/v1/[a-z]+").matcher(script).results().forEach(link -> found.add(link.group()));
        // Links to pages of venues alone are absolute; the page's policy lets nothing else be loaded.
        assertFalse(script.contains("innerHTML") || script.contains("http:"), script);
        JsonNode catalog = tree(gateway.get("/.well-known/api-catalog").body());
        catalog.findValuesAsText("href").forEach(found::add);
        catalog.findValuesAsText("anchor").forEach(found::add);
        json(gateway.get("/api/v1")).path("links").forEach(link -> found.add(link.asText()));
        json(gateway.get("/nowhere")).path("addresses").forEach(link -> found.add(link.asText()));
        Pattern.compile("\\]\\(([^)]+)\\)").matcher(text("/llms.txt")).results().forEach(l -> found.add(l.group(1)));
        assertTrue(found.size() > 40, found.toString());
        for (String link : new TreeSet<>(found)) {
            assertTrue(link.startsWith("/"), link);
            int status = gateway.get(link).statusCode();
            assertTrue(status == 200 || (status == 503 && link.equals("/api/v1/carry")), link + " " + status);
        }
    }
}
