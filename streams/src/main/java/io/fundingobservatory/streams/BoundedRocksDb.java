package io.fundingobservatory.streams;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * One memory limit for all RocksDB instances of the process: 96 MB of blocks, indexes, filters and write
 * buffers together. Write buffers take at most 48 MB of it. The defaults are 50 MB of cache and 48 MB of
 * write buffers for each of 12 instances.
 */
public final class BoundedRocksDb implements RocksDBConfigSetter {
    private static final long CACHE_BYTES = 96L << 20;
    private static final long WRITE_BUFFER_BYTES = 48L << 20;
    private static final long WRITE_BUFFER_OF_ONE_BYTES = 8L << 20;

    /** Merging begins late: from the default of 4 files on it took half a core while the ledger was restored. */
    private static final int MERGED_FILES = 16;

    static {
        RocksDB.loadLibrary();
    }

    /** Not strict: a read beyond the budget is slower, never refused. */
    private static final Cache CACHE = new LRUCache(CACHE_BYTES, -1, false, 0.1);

    private static final WriteBufferManager WRITE_BUFFERS = new WriteBufferManager(WRITE_BUFFER_BYTES, CACHE);

    @Override
    public void setConfig(String store, Options options, Map<String, Object> configs) {
        var tables = (BlockBasedTableConfig) options.tableFormatConfig();
        tables.setBlockCache(CACHE);
        tables.setCacheIndexAndFilterBlocks(true);
        tables.setCacheIndexAndFilterBlocksWithHighPriority(true);
        tables.setPinTopLevelIndexAndFilter(true);
        options.setTableFormatConfig(tables);
        options.setWriteBufferManager(WRITE_BUFFERS);
        options.setWriteBufferSize(WRITE_BUFFER_OF_ONE_BYTES);
        options.setMaxWriteBufferNumber(2);
        options.setLevel0FileNumCompactionTrigger(MERGED_FILES);
        options.setMaxOpenFiles(64);
        options.setCompressionType(CompressionType.LZ4_COMPRESSION);
    }

    /** Both outlive every single store. */
    @Override
    public void close(String store, Options options) {}
}
