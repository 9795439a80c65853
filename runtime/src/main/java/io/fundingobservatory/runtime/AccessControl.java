package io.fundingobservatory.runtime;

import io.fundingobservatory.topics.access.Role;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.ResourcePatternFilter;

/** Brings the ACLs of a cluster in line with the roles: missing ones are created, others are reported and kept. */
public final class AccessControl {
    private static final Duration APPLIED_WITHIN = Duration.ofSeconds(10);

    private AccessControl() {}

    /**
     * What was found and done.
     *
     * @param created ACLs that were not there and are now
     * @param beyond ACLs of these users that no role needs
     */
    public record Outcome(List<AclBinding> created, List<AclBinding> beyond) {
        public Outcome {
            created = List.copyOf(created);
            beyond = List.copyOf(beyond);
        }
    }

    /**
     * Creates what is missing; may be called again at any time.
     *
     * @param users the role of each principal, {@code User:ingest}
     * @throws ExecutionException when the brokers do not respond, have no authorizer, or deny this client; the cause names which
     */
    public static Outcome ensure(Admin admin, Map<String, Role> users) throws InterruptedException, ExecutionException {
        Set<AclBinding> wanted = new HashSet<>();
        users.forEach((principal, role) -> wanted.addAll(role.bindings(principal)));
        Set<AclBinding> there = of(users.keySet(), admin);
        List<AclBinding> missing =
                wanted.stream().filter(acl -> !there.contains(acl)).toList();
        if (!missing.isEmpty()) {
            admin.createAcls(missing).all().get();
            awaitApplied(admin, users.keySet(), wanted);
        }
        return new Outcome(
                missing, there.stream().filter(acl -> !wanted.contains(acl)).toList());
    }

    private static Set<AclBinding> of(Set<String> principals, Admin admin)
            throws InterruptedException, ExecutionException {
        Set<AclBinding> there = new HashSet<>();
        for (String principal : principals) {
            var ofUser = new AccessControlEntryFilter(principal, null, AclOperation.ANY, AclPermissionType.ANY);
            there.addAll(admin.describeAcls(new AclBindingFilter(ResourcePatternFilter.ANY, ofUser))
                    .values()
                    .get());
        }
        return there;
    }

    /** The controller has accepted them; a broker follows some milliseconds later, and denies until then. */
    private static void awaitApplied(Admin admin, Set<String> principals, Set<AclBinding> wanted)
            throws InterruptedException, ExecutionException {
        long deadline = System.nanoTime() + APPLIED_WITHIN.toNanos();
        while (!of(principals, admin).containsAll(wanted) && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }
}
