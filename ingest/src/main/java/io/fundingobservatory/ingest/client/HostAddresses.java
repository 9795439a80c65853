package io.fundingobservatory.ingest.client;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.resolver.InetSocketAddressResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The addresses of the venues' hosts, as the JDK resolved them: IPv4 before IPv6, unless {@code
 * java.net.preferIPv6Addresses} specifies another order. One is used until a connection to it fails, then the
 * next one. The client itself would pick one at random. Without IPv6, every second connection to a host with
 * both kinds of address would then fail.
 */
@Singleton
@Named(HttpClientRules.SERVICE)
final class HostAddresses extends AddressResolverGroup<InetSocketAddress> {
    /** The addresses of a host, and how many connections to them have failed. */
    private record Known(List<InetAddress> addresses, int failures) {
        InetAddress current() {
            return addresses.get(failures % addresses.size());
        }
    }

    private final Map<String, Known> hosts = new ConcurrentHashMap<>();

    /** Looks a host up, which may take as long as its name servers do. */
    void lookUp(String host) throws UnknownHostException {
        List<InetAddress> found = List.of(InetAddress.getAllByName(host));
        hosts.compute(
                host, (name, known) -> known != null && known.addresses().equals(found) ? known : new Known(found, 0));
    }

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

    private InetAddress current(String host) throws UnknownHostException {
        Known known = hosts.get(host);
        return known == null ? InetAddress.getByName(host) : known.current();
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new InetSocketAddressResolver(executor, new InetNameResolver(executor) {
            @Override
            protected void doResolve(String host, Promise<InetAddress> promise) throws UnknownHostException {
                promise.setSuccess(current(host));
            }

            @Override
            protected void doResolveAll(String host, Promise<List<InetAddress>> promise) throws UnknownHostException {
                promise.setSuccess(List.of(current(host)));
            }
        });
    }
}
