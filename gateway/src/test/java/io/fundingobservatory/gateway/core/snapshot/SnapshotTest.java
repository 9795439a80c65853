package io.fundingobservatory.gateway.core.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SnapshotTest {
    private static Snapshot snapshot(long nowMs) {
        var okx = Samples.rows("okx", List.of(Samples.rate("okx", "A", "A", nowMs)), nowMs);
        return Snapshots.of(nowMs, nowMs + 5_000, Map.of("okx", okx), Map.of(), Map.of(), null);
    }

    /** A request that was waiting for its turn is rendered of the snapshot that it was priced with. */
    @Test
    void retiredSnapshotKeepsNoBuffers() {
        Snapshot former = snapshot(1_790_000_000_000L);
        former.retire(snapshot(1_790_000_005_000L));
        Content late = former.latest(Scope.DEFAULT, RowForm.COLUMNS);
        Stream.concat(late.identity().stream(), late.gzip().stream()).forEach(segment -> {
            ByteBuf sent = segment.buffer();
            sent.release();
            assertEquals(0, sent.refCnt(), "released with the last response that has it");
        });
    }
}
