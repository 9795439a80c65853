package io.fundingobservatory.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** However many stores there are, they hold together what one budget allows. */
class BoundedRocksDbTest {
    private static final int STORES = 30;
    private static final long MB = 1 << 20;

    @TempDir
    Path directory;

    /** Together they write 90 MB, none of them more than its own buffer takes: only the common budget makes them write to disk. */
    @Test
    void thirtyStoresWriteWithin48MegabytesOfBuffers() throws Exception {
        var random = new Random(1);
        byte[] value = new byte[10_000];
        var stores = new ArrayList<RocksDB>();
        try {
            for (int store = 0; store < STORES; store++) {
                stores.add(open("store-" + store));
            }
            for (int i = 0; i < 3 * MB / value.length; i++) {
                for (RocksDB store : stores) {
                    random.nextBytes(value);
                    store.put(new byte[] {(byte) i, (byte) (i >> 8)}, value);
                }
            }
            // Each store fills the 512 kB that it has begun, whatever the budget says.
            long most = 48 * MB + STORES * MB / 2;
            long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
            while (sum(stores, "rocksdb.cur-size-all-mem-tables") > most) {
                assertTrue(System.nanoTime() < until, sum(stores, "rocksdb.cur-size-all-mem-tables") + " bytes");
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
            var capacities = new HashSet<Long>();
            for (RocksDB store : stores) {
                capacities.add(store.getLongProperty("rocksdb.block-cache-capacity"));
                assertTrue(store.getLongProperty("rocksdb.block-cache-usage") <= 96 * MB);
            }
            assertEquals(List.of(96 * MB), List.copyOf(capacities));
            // Each tells the use of the cache that it has: with one for all of them, all tell the same.
            stores.getFirst().get(new byte[] {0, 0});
            assertEquals(
                    stores.getFirst().getLongProperty("rocksdb.block-cache-usage"),
                    stores.getLast().getLongProperty("rocksdb.block-cache-usage"));
        } finally {
            stores.forEach(RocksDB::close);
        }
    }

    private static long sum(List<RocksDB> stores, String property) throws RocksDBException {
        long sum = 0;
        for (RocksDB store : stores) {
            sum += store.getLongProperty(property);
        }
        return sum;
    }

    /** As Kafka Streams opens one: with a table format for the setter to change. */
    private RocksDB open(String name) throws RocksDBException {
        var options = new Options().setCreateIfMissing(true).setTableFormatConfig(new BlockBasedTableConfig());
        new BoundedRocksDb().setConfig(name, options, Map.of());
        return RocksDB.open(options, directory.resolve(name).toString());
    }
}
