package io.fundingobservatory.ingest.client;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.resolver.InetSocketAddressResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The addresses of the venues' hosts, as the JDK resolves them: IPv4 before IPv6, unless {@code
 * java.net.preferIPv6Addresses} specifies another order. One is used until a connection to it fails, then the
 * next one. The client itself would pick one at random. Without IPv6, every second connection to a host with
 * both kinds of address would then fail. It would also look names up on its event loop, where one slow name
 * server delays every venue.
 */
@Singleton
@Named(HttpClientRules.SERVICE)
final class HostAddresses extends AddressResolverGroup<InetSocketAddress> {
    /** How long a name server may take. */
    static final Duration LOOKUP = Duration.ofSeconds(3);

    /** Every host has at most one request in flight, so more than these are hanging name servers. */
    private static final int LOOKUPS = 64;

    /** The addresses of a host, and how many connections to them have failed. */
    private record Known(List<InetAddress> addresses, int failures) {}

    private final Map<String, Known> hosts = new ConcurrentHashMap<>();
    private final Executor lookups = new ThreadPoolExecutor(
            0,
            LOOKUPS,
            20,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().daemon().name("exchange-lookup-", 0).factory());

    /** How many addresses a host has; 1 when it has not been looked up. */
    int count(String host) {
        Known known = hosts.get(host);
        return known == null ? 1 : known.addresses().size();
    }

    /** A connection to a host could not be made: the next one goes to its next address. */
    void failed(String host) {
        hosts.computeIfPresent(host, (name, known) -> new Known(known.addresses(), known.failures() + 1));
    }

    /** How many connections to a host could not be made since its addresses were last changed. */
    int failures(String host) {
        Known known = hosts.get(host);
        return known == null ? 0 : known.failures();
    }

    private InetAddress current(String host) {
        List<InetAddress> found;
        try {
            found = List.of(InetAddress.getAllByName(host));
        } catch (UnknownHostException e) {
            throw new UncheckedIOException(e);
        }
        Known known = hosts.compute(
                host, (name, old) -> old != null && old.addresses().equals(found) ? old : new Known(found, 0));
        return found.get(known.failures() % found.size());
    }

    /** Completes with the address to use; {@link RejectedExecutionException} when all threads wait for name servers. */
    private CompletableFuture<InetAddress> lookUp(String host) {
        try {
            return CompletableFuture.supplyAsync(() -> current(host), lookups)
                    .orTimeout(LOOKUP.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new InetSocketAddressResolver(executor, new InetNameResolver(executor) {
            @Override
            protected void doResolve(String host, Promise<InetAddress> promise) {
                complete(promise, lookUp(host));
            }

            @Override
            protected void doResolveAll(String host, Promise<List<InetAddress>> promise) {
                complete(promise, lookUp(host).thenApply(List::of));
            }
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the promise has the outcome
    private static <T> void complete(Promise<T> promise, CompletableFuture<T> result) {
        result.whenComplete((value, failure) -> {
            if (failure == null) {
                promise.trySuccess(value);
            } else {
                promise.tryFailure(failure);
            }
        });
    }
}
