package io.fundingobservatory.faults.planted;

import io.fundingobservatory.topics.normalisation.AssetNames;
import io.fundingobservatory.topics.records.IntervalSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Replacements of sound methods, each with a mistake that a developer could make. Only patched classes call
 * them.
 */
public final class Bugs {
    private static final AtomicLong CALLS = new AtomicLong();
    private static final Map<Object, Object> FIRST = new ConcurrentHashMap<>();

    private Bugs() {}

    public static BigDecimal quotientOfDoubles(BigDecimal dividend, BigDecimal divisor) {
        return BigDecimal.valueOf(dividend.doubleValue() / divisor.doubleValue());
    }

    public static BigDecimal quotientOf8Decimals(BigDecimal dividend, BigDecimal divisor) {
        return dividend.divide(divisor, 8, RoundingMode.HALF_EVEN);
    }

    public static BigDecimal quotientCutOff(BigDecimal dividend, BigDecimal divisor) {
        return dividend.divide(divisor, 18, RoundingMode.DOWN);
    }

    public static BigDecimal quotientOf16Digits(BigDecimal dividend, BigDecimal divisor) {
        return dividend.divide(divisor, MathContext.DECIMAL64);
    }

    public static boolean everyReadingReplaces(@Nullable Long storedMs, long readMs) {
        return true;
    }

    public static boolean sameTimeReplaces(@Nullable Long storedMs, long readMs) {
        return storedMs == null || readMs >= storedMs;
    }

    public static boolean firstReadingStays(@Nullable Long storedMs, long readMs) {
        return storedMs == null;
    }

    public static boolean nothingAfterAPause(@Nullable Long storedMs, long readMs) {
        return storedMs == null || (readMs > storedMs && readMs - storedMs < 3_000);
    }

    public static AssetNames.Name spellingIsTheAsset(String venue, String base) {
        return new AssetNames.Name(base, BigDecimal.ONE);
    }

    public static AssetNames.Name scaleIsForgotten(String venue, String base) {
        return new AssetNames.Name(
                ((AssetNames.Name) sound(AssetNames.class, "of", venue, base)).asset(), BigDecimal.ONE);
    }

    public static void onePartitionIsSkipped(Object processor, Record<byte[], byte[]> record) {
        if (record.key() == null || Math.floorMod(Arrays.hashCode(record.key()), 6) != 3) {
            sound(processor, "process", record);
        }
    }

    public static void eachHundredthIsSkipped(Object processor, Record<byte[], byte[]> record) {
        if (CALLS.incrementAndGet() % 100 != 0) {
            sound(processor, "process", record);
        }
    }

    public static void eachIsProcessedTwice(Object processor, Record<byte[], byte[]> record) {
        sound(processor, "process", record.withHeaders(record.headers()));
        sound(processor, "process", record);
    }

    public static void twoOfAContractChangePlaces(Object processor, Record<byte[], byte[]> record) {
        String key = Arrays.toString(record.key());
        Object waiting = FIRST.remove(key);
        if (waiting instanceof Record<?, ?> before) {
            sound(processor, "process", record);
            sound(processor, "process", before);
        } else if (CALLS.incrementAndGet() % 10 == 0) {
            FIRST.put(key, record);
        } else {
            sound(processor, "process", record);
        }
    }

    public static void refusedIsForgotten(
            Object processor, Record<byte[], byte[]> record, String stage, String reason, String detail) {}

    public static BigDecimal negative(Object quote) {
        return ((BigDecimal) sound(quote, "rate")).negate();
    }

    public static @Nullable BigDecimal indexInPlaceOfMark(Object quote) {
        return (BigDecimal) read(quote, "indexPrice");
    }

    public static @Nullable BigDecimal firstMarkForEver(Object quote) {
        Object mark = sound(quote, "markPrice");
        return mark == null
                ? null
                : (BigDecimal) FIRST.computeIfAbsent(read(quote, "symbol") + "|" + read(quote, "venue"), key -> mark);
    }

    public static @Nullable Long notAnnounced(Object quote) {
        return null;
    }

    public static long readASecondEarlier(Object quote) {
        return (Long) sound(quote, "observedAtMs") - 1_000;
    }

    public static @Nullable BigDecimal eightHoursByDefault(Object quote) {
        Object interval = sound(quote, "intervalH");
        return interval == null ? BigDecimal.valueOf(8) : (BigDecimal) interval;
    }

    public static IntervalSource documentedByDefault(Object quote) {
        Object source = sound(quote, "intervalSource");
        return source == null ? IntervalSource.DOCUMENTED : (IntervalSource) source;
    }

    public static @Nullable BigDecimal coveredIsTheInterval(Object quote) {
        return (BigDecimal) read(quote, "intervalH");
    }

    public static @Nullable BigDecimal unknownIsZero(@Nullable BigDecimal value) {
        return value == null ? BigDecimal.ZERO : value;
    }

    public static BigDecimal shortened(BigDecimal value) {
        return value.round(new MathContext(9)).stripTrailingZeros();
    }

    public static Object read(Object target, String accessor) {
        try {
            Method method = method(target.getClass(), accessor + Patch.SOUND, 0);
            return (method == null ? method(target.getClass(), accessor, 0) : method).invoke(target);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Calls the method that was replaced. */
    public static Object sound(Object target, String name, Object... arguments) {
        Class<?> owner = target instanceof Class<?> type ? type : target.getClass();
        try {
            Method method = method(owner, name + Patch.SOUND, arguments.length);
            return method.invoke(target instanceof Class<?> ? null : target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable Method method(Class<?> owner, String name, int parameters) {
        for (Method method : owner.getDeclaredMethods()) {
            if (method.getName().equals(name) && method.getParameterCount() == parameters) {
                method.setAccessible(true);
                return method;
            }
        }
        return null;
    }
}
