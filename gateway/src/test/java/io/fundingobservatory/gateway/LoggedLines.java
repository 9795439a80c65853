package io.fundingobservatory.gateway;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** What a logger and those below it write during a test, from any thread. */
public final class LoggedLines implements BeforeEachCallback, AfterEachCallback {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Logger log;
    private final AppenderBase<ILoggingEvent> appender;

    private LoggedLines(String logger, Level least) {
        log = (Logger) LoggerFactory.getLogger(logger);
        appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                if (event.getLevel().isGreaterOrEqual(least)) {
                    lines.add(event.getFormattedMessage());
                }
            }
        };
    }

    /** Whatever a logger writes. */
    public static LoggedLines of(String logger) {
        return new LoggedLines(logger, Level.TRACE);
    }

    /** Whatever a class writes. */
    public static LoggedLines of(Class<?> type) {
        return of(type.getName());
    }

    /** Errors alone. */
    public static LoggedLines errorsOf(String logger) {
        return new LoggedLines(logger, Level.ERROR);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        appender.start();
        log.addAppender(appender);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        log.detachAppender(appender);
        appender.stop();
    }

    /** All that have not been taken, oldest first. */
    public List<String> all() {
        return List.copyOf(lines);
    }

    /** Takes the oldest one; null when none comes within so many seconds. */
    public @Nullable String next(int seconds) throws InterruptedException {
        return lines.poll(seconds, TimeUnit.SECONDS);
    }
}
