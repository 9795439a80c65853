package io.fundingobservatory.standalone.brokers;

import io.fundingobservatory.runtime.AccessControl;
import io.fundingobservatory.runtime.InnermostCause;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.standalone.terminal.Stop;
import io.fundingobservatory.topics.access.Grant;
import io.fundingobservatory.topics.access.Role;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialAlteration;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The roles on the brokers: prints what each may do, or creates the ACLs and passwords that are missing on a cluster. */
@Command(
        name = "access",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the rights of each role on the brokers, or grants them to the roles' users.",
            "Users have the names of their roles unless --user names another. To apply rights, connect as a super user."
        })
public final class AccessCommand implements Callable<Integer> {
    /** Of each password's hash; the brokers' own default is 4096. */
    private static final int ITERATIONS = 8192;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli injects it
    private CommandSpec spec;

    @Option(names = "--apply", description = "Create missing ACLs; further ACLs are listed and not changed.")
    private boolean apply;

    @Option(
            names = "--passwords",
            paramLabel = "FILE",
            description = "With --apply: lines USER=PASSWORD; sets or replaces SCRAM-SHA-512 credentials.")
    private @Nullable Path passwords;

    @Option(
            names = "--user",
            paramLabel = "ROLE=NAME",
            description = "Another user name than the role's; repeat it for several teams: --user team=pricing.")
    private List<String> named = List.of();

    @Mixin
    private BrokerOptions brokers = new BrokerOptions();

    @Override
    public Integer call() throws InterruptedException {
        Map<String, Role> users = users();
        PrintWriter out = spec.commandLine().getOut();
        if (apply) {
            apply(users, out);
        } else {
            print(users, out);
        }
        return 0;
    }

    /** By name; a role that is not named has a user of its own name. */
    private Map<String, Role> users() {
        Map<String, Role> users = new TreeMap<>();
        for (String one : named) {
            String[] parts = one.split("=", 2);
            if (parts.length != 2 || parts[1].isBlank()) {
                throw new Stop("--user " + one + " is no ROLE=NAME");
            }
            put(users, parts[1], role(parts[0]));
        }
        for (Role role : Role.values()) {
            if (!users.containsValue(role)) {
                put(users, role.word(), role);
            }
        }
        return users;
    }

    private static void put(Map<String, Role> users, String user, Role role) {
        Role other = users.put(user, role);
        if (other != null && other != role) {
            throw new Stop("--user gives " + user + " two roles: " + other.word() + " and " + role.word());
        }
    }

    private static Role role(String word) {
        try {
            return Role.valueOf(word.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new Stop("no such role: " + word + "; there are ingest, streams, gateway and team");
        }
    }

    private static void print(Map<String, Role> users, PrintWriter out) {
        out.printf("%-10s %-17s %-9s %-22s %s%n", "USER", "RESOURCE", "PATTERN", "NAME", "OPERATIONS");
        users.forEach((user, role) -> {
            for (Grant grant : role.grants()) {
                out.printf(
                        "%-10s %-17s %-9s %-22s %s%n",
                        user,
                        grant.resource().resourceType().name().toLowerCase(Locale.ROOT),
                        grant.resource().patternType().name().toLowerCase(Locale.ROOT),
                        grant.resource().name(),
                        grant.operations().stream()
                                .sorted()
                                .map(operation -> operation.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(" ")));
            }
        });
    }

    private void apply(Map<String, Role> users, PrintWriter out) throws InterruptedException {
        KafkaAccess kafka = brokers.access();
        List<UserScramCredentialAlteration> credentials = credentials(users);
        Map<String, Object> config =
                kafka.clientPreferring(Map.of("request.timeout.ms", "5000", "default.api.timeout.ms", "10000"));
        try (Admin admin = Admin.create(config)) {
            if (!credentials.isEmpty()) {
                admin.alterUserScramCredentials(credentials).all().get();
                out.println("passwords set: " + credentials.size());
            }
            Map<String, Role> principals = users.entrySet().stream()
                    .collect(Collectors.toMap(user -> "User:" + user.getKey(), Map.Entry::getValue));
            AccessControl.Outcome acls = AccessControl.ensure(admin, principals);
            out.println("ACLs created: " + acls.created().size());
            acls.beyond().forEach(acl -> out.println("beyond what its role needs: " + acl));
        } catch (ExecutionException e) {
            throw new Stop("the ACLs could not be created on " + kafka.bootstrapServers() + ": " + e.getCause());
        } catch (KafkaException e) {
            throw new Stop("no connection to " + kafka.bootstrapServers() + " is possible with these settings: "
                    + InnermostCause.typed(e));
        }
    }

    private List<UserScramCredentialAlteration> credentials(Map<String, Role> users) {
        if (passwords == null) {
            return List.of();
        }
        var credentials = new ArrayList<UserScramCredentialAlteration>();
        passwords(passwords).forEach((user, password) -> {
            if (!users.containsKey(user)) {
                throw new Stop("--passwords names a user that has no role: " + user);
            }
            credentials.add(new UserScramCredentialUpsertion(
                    user, new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, ITERATIONS), password));
        });
        return credentials;
    }

    /** By user. A password is everything after the first {@code =}; blank lines and those that begin with {@code #} are left out. */
    static SortedMap<String, String> passwords(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new Stop("--passwords " + file + " cannot be read: " + e.getMessage());
        }
        var passwords = new TreeMap<String, String>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (!line.isBlank() && !line.stripLeading().startsWith("#")) {
                int end = line.indexOf('=');
                if (end < 1) {
                    throw new Stop("--passwords " + file + " line " + (i + 1) + " is no USER=PASSWORD");
                }
                passwords.put(line.substring(0, end), line.substring(end + 1));
            }
        }
        return passwords;
    }
}
