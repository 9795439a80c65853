package io.fundingobservatory.ingest.client;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** The JVM's name service in tests: names that a test has set, and else the machine's own. */
public final class TestNames extends InetAddressResolverProvider {
    private static final String HANGING = ".hangs.test";
    private static volatile CountDownLatch hanging = new CountDownLatch(0);
    private static final Map<String, List<InetAddress>> NAMES = new ConcurrentHashMap<>();

    /** Gives a name its addresses, in the order in which a name server would respond. */
    static void set(String host, String... addresses) throws UnknownHostException {
        var of = new java.util.ArrayList<InetAddress>();
        for (String address : addresses) {
            of.add(InetAddress.getByAddress(host, InetAddress.getByName(address).getAddress()));
        }
        NAMES.put(host, List.copyOf(of));
    }

    /** Below this, names get no response until the latch is open. */
    static String hang(CountDownLatch latch) {
        hanging = latch;
        return HANGING;
    }

    private static void awaitHanging(String host) throws UnknownHostException {
        if (host.endsWith(HANGING)) {
            try {
                hanging.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new UnknownHostException(host);
        }
    }

    @Override
    public InetAddressResolver get(Configuration configuration) {
        InetAddressResolver machine = configuration.builtinResolver();
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                awaitHanging(host);
                List<InetAddress> set = NAMES.get(host);
                return set == null ? machine.lookupByName(host, policy) : set.stream();
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                return machine.lookupByAddress(address);
            }
        };
    }

    @Override
    public String name() {
        return "names of tests";
    }
}
