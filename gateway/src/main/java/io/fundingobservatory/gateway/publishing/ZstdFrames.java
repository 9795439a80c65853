package io.fundingobservatory.gateway.publishing;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.util.Native;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.coding.Segment;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One zstd frame for each body, with the body's length in its header (RFC 8878 §3.1.1.1.4). Many decoders in HTTP clients stop after
 * the first frame, and one-shot decoders need the length.
 */
public final class ZstdFrames implements Content.Compressor {
    private static final Logger LOG = LoggerFactory.getLogger(ZstdFrames.class);
    /** 16 ms for the list of 12,000 rows, with each snapshot. */
    private static final int LEVEL = 3;

    private static final int BUFFER_BYTES = 128 << 10;

    private final ByteBuffer from = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ByteBuffer into = ByteBuffer.allocateDirect(BUFFER_BYTES);

    private ZstdFrames() {
        Native.load();
    }

    /** The compressor of lists; null where this machine cannot load the native library. */
    public static Content.@Nullable Compressor forLists() {
        try {
            return new ZstdFrames();
        } catch (LinkageError e) {
            LOG.info("no zstd on this machine cause={}", e.toString());
            return null;
        }
    }

    @Override
    public synchronized byte[] compress(List<Segment> identity) {
        long length = Segment.length(identity);
        var out = new ByteArrayOutputStream(Math.toIntExact(Math.max(512, length / 16)));
        try (var frame = new ZstdCompressCtx()) {
            frame.setLevel(LEVEL);
            frame.setPledgedSrcSize(length);
            from.clear();
            for (Segment segment : identity) {
                for (byte[] piece : segment.pieces()) {
                    add(frame, piece, out);
                }
            }
            from.flip();
            boolean done;
            do {
                done = frame.compressDirectByteBufferStream(into.clear(), from, EndDirective.END);
                take(out);
            } while (!done);
        }
        return out.toByteArray();
    }

    private void add(ZstdCompressCtx frame, byte[] piece, ByteArrayOutputStream out) {
        int at = 0;
        while (at < piece.length) {
            int count = Math.min(from.remaining(), piece.length - at);
            from.put(piece, at, count);
            at += count;
            if (!from.hasRemaining()) {
                from.flip();
                while (from.hasRemaining()) {
                    frame.compressDirectByteBufferStream(into.clear(), from, EndDirective.CONTINUE);
                    take(out);
                }
                from.clear();
            }
        }
    }

    private void take(ByteArrayOutputStream out) {
        into.flip();
        var bytes = new byte[into.remaining()];
        into.get(bytes);
        out.writeBytes(bytes);
    }
}
