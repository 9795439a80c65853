package io.fundingobservatory.streams.formats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.ByteArrayOutputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The same bytes as the library's own stream writes, whatever is written and however much of it. */
class FormatBufferTest {
    private static final List<String> TEXTS = List.of(
            "", "BTC", "币安人生", "a\0b", "\ud83d\ude00", "é", "x".repeat(300), "ü".repeat(300), "y".repeat(40_000));

    @Test
    void writesWhatTheLibraryWrites() throws IOException {
        for (long seed = 0; seed < 200; seed++) {
            var expected = new ByteArrayOutputStream();
            write(new Random(seed), new DataOutputStream(expected));
            var buffer = new FormatBuffer();
            write(new Random(seed), buffer);
            assertArrayEquals(expected.toByteArray(), buffer.toByteArray(), "seed " + seed);
        }
    }

    private static void write(Random random, DataOutput to) throws IOException {
        for (int i = 0; i < 60; i++) {
            switch (random.nextInt(12)) {
                case 0 -> to.write(random.nextInt());
                case 1 -> to.writeByte(random.nextInt());
                case 2 -> to.writeShort(random.nextInt());
                case 3 -> to.writeChar(random.nextInt());
                case 4 -> to.writeInt(random.nextInt());
                case 5 -> to.writeLong(random.nextLong());
                case 6 -> to.writeFloat(random.nextFloat());
                case 7 -> to.writeDouble(random.nextDouble());
                case 8 -> to.writeBoolean(random.nextBoolean());
                case 9 -> {
                    byte[] bytes = new byte[random.nextInt(300)];
                    random.nextBytes(bytes);
                    to.write(bytes);
                }
                case 10 -> to.writeUTF(TEXTS.get(random.nextInt(TEXTS.size())));
                default -> {
                    to.writeBytes("ab");
                    to.writeChars("cd");
                }
            }
        }
    }
}
