package io.fundingobservatory.gateway.tables;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.encoder.BrotliOutputStream;
import com.aayushatharva.brotli4j.encoder.Encoder;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.fundingobservatory.gateway.core.Coding;
import io.fundingobservatory.gateway.core.Content;
import io.fundingobservatory.gateway.core.Snapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The codings whose bytes come from native libraries, as far as this machine can load them. */
public final class Compressors {
    private static final Logger LOG = LoggerFactory.getLogger(Compressors.class);

    // What is packed anew every second has to be packed fast.
    private static final int BROTLI_QUALITY = 4;
    private static final int ZSTD_LEVEL = 3;

    private Compressors() {}

    private interface Coder {
        OutputStream over(OutputStream out) throws IOException;
    }

    public static Map<Coding, Snapshot.Packer> available() {
        var packers = new EnumMap<Coding, Snapshot.Packer>(Coding.class);
        packers.put(Coding.ZSTD, identity -> packed(identity, out -> new ZstdOutputStreamNoFinalizer(out, ZSTD_LEVEL)));
        if (Brotli4jLoader.isAvailable()) {
            var parameters = Encoder.Parameters.create(BROTLI_QUALITY);
            packers.put(Coding.BR, identity -> packed(identity, out -> new BrotliOutputStream(out, parameters)));
        } else {
            LOG.info(
                    "no brotli on this machine cause={}",
                    Brotli4jLoader.getUnavailabilityCause().toString());
        }
        return packers;
    }

    private static byte[] packed(List<byte[]> identity, Coder coder) {
        var out = new ByteArrayOutputStream(Math.max(512, (int) (Content.length(identity) / 8)));
        try (OutputStream packing = coder.over(out)) {
            for (byte[] piece : identity) {
                packing.write(piece);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail to be written", e);
        }
        return out.toByteArray();
    }
}
