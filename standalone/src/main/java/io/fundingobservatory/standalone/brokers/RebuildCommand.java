package io.fundingobservatory.standalone.brokers;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.request.Parameters;
import io.fundingobservatory.gateway.core.snapshot.FormerSnapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.runtime.InnermostCause;
import io.fundingobservatory.standalone.terminal.Instants;
import io.fundingobservatory.standalone.terminal.Stop;
import io.fundingobservatory.topics.records.PublishedList;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes a list of {@code /api/v1/latest} of the last seven days again, with the bytes and the tag that were served. */
@Command(
        name = "rebuild",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the list of /api/v1/latest that was served at an instant of the last seven days, made again from the topics.",
            "Standard error has its time and its ETag. Exit code 1 when the list cannot be made with the same bytes."
        })
public final class RebuildCommand implements Callable<Integer> {
    private static final Pattern TAG = Pattern.compile("\"?([0-9a-f]{32})(?:-[a-z]+)?\"?");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli injects it
    private CommandSpec spec;

    @Option(
            names = "--at",
            required = true,
            paramLabel = "INSTANT",
            description = Instants.FORM + ". The newest list up to then is made.")
    private String at = "";

    @Option(
            names = "--venues",
            paramLabel = "VENUES",
            description = "As the parameter venues of /api/v1/latest: identifiers, or all. Default: the default scope.")
    private @Nullable String venues;

    @Option(
            names = "--tag",
            paramLabel = "ETAG",
            description =
                    "Which list, where gateways published several at one time: its ETag without venues, or with venues=all.")
    private @Nullable String tag;

    @Mixin
    private BrokerOptions brokers = new BrokerOptions();

    @Override
    public Integer call() throws IOException {
        Parameters.Names scope = scope();
        PublishedList list;
        Snapshot snapshot;
        try (var topics = new RecordedTopics(brokers.access())) {
            var sources = new ListSourcesReader(topics);
            list = chosen(sources.lists(Instants.parse(at).toEpochMilli()));
            PublishedList of = list;
            snapshot = FormerSnapshot.of(of, sources.rows(of), sources.statuses(of))
                    .orElseThrow(() -> new Stop("the list of " + Instant.ofEpochMilli(of.generatedAtMs())
                            + " cannot be made again with its ETag " + of.tag()
                            + ": a record that it was made from is lost or damaged, or another release published it"));
        } catch (KafkaException e) {
            throw new Stop("no broker could be read at " + brokers + ": " + InnermostCause.typed(e));
        }
        Content content = snapshot.latest(snapshot.scope(scope));
        PrintWriter err = spec.commandLine().getErr();
        err.println("list of " + Instant.ofEpochMilli(list.generatedAtMs()) + ", ETag " + content.etag(null));
        err.flush();
        var body = new ByteArrayOutputStream();
        content.identity().forEach(segment -> body.writeBytes(segment.joined()));
        System.out.write(body.toByteArray());
        System.out.flush();
        return 0;
    }

    private Parameters.Names scope() {
        return switch (Parameters.read(venues == null ? null : "venues=" + venues, List.of("venues"))) {
            case Parameters.Names names -> names;
            case Parameters.Unreadable(String reason) -> throw new Stop("--venues: " + reason);
        };
    }

    private PublishedList chosen(List<PublishedList> lists) {
        if (tag == null) {
            if (lists.size() > 1) {
                spec.commandLine()
                        .getErr()
                        .println("several lists were published at this time, the first is printed; --tag chooses: "
                                + lists.stream().map(PublishedList::tag).collect(Collectors.joining(", ")));
            }
            return lists.getFirst();
        }
        Matcher wanted = TAG.matcher(tag);
        if (!wanted.matches()) {
            throw new Stop("--tag is an ETag of 32 hexadecimal digits, not " + tag);
        }
        return lists.stream()
                .filter(list ->
                        list.tag().equals(wanted.group(1)) || list.tagOfAll().equals(wanted.group(1)))
                .findFirst()
                .orElseThrow(() -> new Stop("no list of "
                        + Instant.ofEpochMilli(lists.getFirst().generatedAtMs()) + " has the ETag " + wanted.group(1)));
    }
}
