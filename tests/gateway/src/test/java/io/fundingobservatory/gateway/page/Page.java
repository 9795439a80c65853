package io.fundingobservatory.gateway.page;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The browser of this machine, and a server whose values tests choose: one for all tests of the page. */
final class Page implements AutoCloseable {
    final Browser browser;
    final PageServer server = new PageServer();

    private Page(Path program) throws Exception {
        browser = Browser.start(program);
        System.out.println("The page is looked at with " + program);
    }

    /** Gives a test the page; where no browser is installed each test is reported as skipped. */
    static final class Extension implements ExecutionCondition, ParameterResolver {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return Browser.installed().isPresent()
                    ? ConditionEvaluationResult.enabled("a browser is installed")
                    : ConditionEvaluationResult.disabled(
                            "no Chromium is installed on this machine: the page was not looked at");
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Page.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getStore(
                            ExtensionContext.StoreScope.LAUNCHER_SESSION, ExtensionContext.Namespace.create(Page.class))
                    .getOrComputeIfAbsent(Page.class, key -> start(), Page.class);
        }

        private static Page start() {
            Path program = Browser.installed().orElseThrow();
            try {
                return new Page(program);
            } catch (Exception e) {
                throw new IllegalStateException("cannot start " + program, e);
            }
        }
    }

    /** As after its start, whatever the test before did. */
    void reset() throws Exception {
        browser.open(URI.create("about:blank"));
        browser.complaints.clear();
        browser.requests.clear();
        browser.look(1440, 900, 1, false, "light");
        browser.zone("UTC");
        server.refusing = false;
        if (server.maxAgeS != 0) {
            server.maxAgeS = 0;
            // Else other tests get what this one let the browser keep.
            browser.call("Network.clearBrowserCache", Map.of());
        }
    }

    @Override
    public void close() throws IOException {
        browser.close();
        server.close();
    }
}
