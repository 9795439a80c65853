package io.fundingobservatory.ingest.spec;

import io.fundingobservatory.ingest.json.JsonValue;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * How a part of a venue's responses is read: in its current shape, and in earlier ones until a day. From that day on, a
 * part in an earlier shape is read as the current one. Its rows are then skipped or lack the value.
 *
 * @param <I> the part, such as a row or a list of rows
 * @param <T> what it yields
 */
public final class Shapes<I, T> {
    private record Earlier<I, T>(long untilMs, Predicate<I> fits, Function<I, T> reader) {}

    private final Function<I, T> current;
    private final List<Earlier<I, T>> earlier;

    private Shapes(Function<I, T> current, List<Earlier<I, T>> earlier) {
        this.current = current;
        this.earlier = earlier;
    }

    public static <I, T> Shapes<I, T> now(Function<I, T> reader) {
        return new Shapes<>(reader, List.of());
    }

    /** An earlier shape, read until the beginning of a UTC day such as {@code 2027-07-01}. */
    public Shapes<I, T> until(String day, Predicate<I> fits, Function<I, T> reader) {
        var all = new ArrayList<>(earlier);
        all.add(new Earlier<>(
                LocalDate.parse(day).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli(), fits, reader));
        return new Shapes<>(current, List.copyOf(all));
    }

    /**
     * The documented interval of contracts whose rows lack one. In the shape before {@code day} no row of a list has it;
     * in the current one, a row without it has none.
     */
    public static Shapes<List<JsonValue>, Optional<BigDecimal>> documentedInterval(
            BigDecimal documented, String day, Predicate<JsonValue> isPublished) {
        return Shapes.now((List<JsonValue> rows) -> Optional.<BigDecimal>empty())
                .until(day, rows -> rows.stream().noneMatch(isPublished), rows -> Optional.of(documented));
    }

    /** Reads a part of a response that arrived at {@code readAtMs}, epoch ms UTC. */
    public T read(I part, long readAtMs) {
        for (Earlier<I, T> shape : earlier) {
            if (readAtMs < shape.untilMs() && shape.fits().test(part)) {
                return shape.reader().apply(part);
            }
        }
        return current.apply(part);
    }
}
