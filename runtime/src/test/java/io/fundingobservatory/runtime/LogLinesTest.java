package io.fundingobservatory.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the log configuration of each program writes: whole lines, and one where a library says something over several. */
class LogLinesTest {
    private static final String OVER_SEVERAL = "not available:\n\t  node 1\nnode 2 ";

    private final LoggerContext context = new LoggerContext();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @ParameterizedTest
    @ValueSource(strings = {"ingest", "streams", "gateway", "standalone"})
    void kafkaWarningIsOneLineOf500Characters(String module) throws JoranException {
        Logger kafka = logger(module, "org.apache.kafka.clients.Metadata");
        kafka.warn(OVER_SEVERAL + "x".repeat(2_000), new IllegalStateException("with a trace"));
        kafka.error("second");

        String[] lines = written.toString(StandardCharsets.UTF_8).split("\n", -1);
        assertEquals(3, lines.length, "two lines, each with its end");
        assertTrue(lines[0].matches(".* WARN  Metadata not available: node 1 node 2 x{400,500}"), lines[0]);
        assertTrue(lines[1].endsWith(" ERROR Metadata second"), lines[1]);
        assertEquals("", lines[2]);
    }

    /** Kafka's words at a broker that is away, as its clients wrote them, and at one that refuses a login. */
    @ParameterizedTest
    @ValueSource(strings = {"ingest", "streams", "gateway", "standalone"})
    void absentBrokerIsNotLoggedAtEachTry(String module) throws JoranException {
        Logger network = logger(module, "org.apache.kafka.clients.NetworkClient");
        network.warn("Connection to node 1 (kafka/10.0.0.1:9092) could not be established. Node may not be available.");
        assertEquals("", written.toString(StandardCharsets.UTF_8));
        network.error("Connection to node -1 failed authentication due to: Invalid username or password");
        assertTrue(written.toString(StandardCharsets.UTF_8).contains("failed authentication"));
    }

    /** Each has one line of its own instead; ingest logs one itself. */
    @ParameterizedTest
    @CsvSource({
        "gateway, org.apache.kafka.clients.FetchSessionHandler",
        "streams, org.apache.kafka.clients.consumer.internals.ConsumerCoordinator"
    })
    void absentBrokerIsLoggedWhenItGoes(String module, String logger) throws JoranException {
        logger(module, logger).info("to node 1:", new IllegalStateException("disconnected"));
        assertEquals(1, written.toString(StandardCharsets.UTF_8).lines().count());
    }

    @ParameterizedTest
    @ValueSource(strings = {"streams", "standalone"})
    void leavesOutLongIdsOfStreamsClients(String module) throws JoranException {
        logger(module, "org.apache.kafka.streams.KafkaStreams")
                .warn("stream-client [observatory-streams-01234567-89ab-cdef-0123-456789abcdef-StreamThread-1] died");

        String line = written.toString(StandardCharsets.UTF_8);
        assertTrue(line.endsWith(" WARN  KafkaStreams stream-client [StreamThread-1] died\n"), line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ingest", "streams", "gateway", "standalone"})
    void ourOwnLinesEndWhereTheyEnd(String module) throws JoranException {
        logger(module, "io.fundingobservatory.Main").info("poll venue=okx rows=3");

        String line = written.toString(StandardCharsets.UTF_8);
        assertTrue(line.endsWith(" INFO  Main poll venue=okx rows=3\n"), line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ingest", "gateway"})
    void aStartThatFailsIsOneLine(String module) throws JoranException {
        logger(module, "io.micronaut.runtime.Micronaut")
                .error("Error starting: " + OVER_SEVERAL, new IllegalStateException("with a trace"));

        String line = written.toString(StandardCharsets.UTF_8);
        assertTrue(line.endsWith(" ERROR Micronaut Error starting: not available: node 1 node 2 \n"), line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ingest", "streams", "gateway"})
    void writesObjectsWhereJsonIsConfigured(String module) throws Exception {
        context.putProperty("LOG_FORMAT", "json");
        logger(module, "io.fundingobservatory.Main").info("poll venue={} rows=3", "okx");
        context.getLogger("org.apache.kafka.clients.Metadata").warn(OVER_SEVERAL);

        String[] lines = written.toString(StandardCharsets.UTF_8).split("\n", -1);
        assertEquals(3, lines.length, "two lines, each with its end");
        assertEquals(
                "poll venue=okx rows=3",
                new ObjectMapper().readTree(lines[0]).path("formattedMessage").asText());
        assertEquals(
                OVER_SEVERAL,
                new ObjectMapper().readTree(lines[1]).path("formattedMessage").asText());
    }

    /** A logger that is configured as in the program, but for where it writes to. */
    private Logger logger(String module, String name) throws JoranException {
        context.setMDCAdapter(new LogbackMDCAdapter());
        var configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(
                Path.of("..", module, "src", "main", "resources", "logback.xml").toFile());
        for (Logger configured : context.getLoggerList()) {
            configured
                    .iteratorForAppenders()
                    .forEachRemaining(appender -> ((OutputStreamAppender<?>) appender).setOutputStream(written));
        }
        return context.getLogger(name);
    }
}
