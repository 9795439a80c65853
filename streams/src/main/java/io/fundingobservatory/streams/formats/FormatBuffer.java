package io.fundingobservatory.streams.formats;

import java.io.ByteArrayOutputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What {@link DataOutputStream} writes, into one growing array. A state is written for each quote; through a stream behind a stream
 * behind locks that was 6 % of a stream thread's samples.
 */
final class FormatBuffer implements DataOutput {
    private ByteBuffer bytes = ByteBuffer.allocate(256);

    byte[] toByteArray() {
        byte[] written = new byte[bytes.position()];
        bytes.get(0, written);
        return written;
    }

    private ByteBuffer room(int more) {
        if (bytes.remaining() < more) {
            bytes = ByteBuffer.allocate(Math.max(2 * bytes.capacity(), bytes.position() + more))
                    .put(bytes.flip());
        }
        return bytes;
    }

    @Override
    public void write(int b) {
        room(Byte.BYTES).put((byte) b);
    }

    @Override
    public void write(byte[] b) {
        write(b, 0, b.length);
    }

    @Override
    public void write(byte[] b, int off, int len) {
        room(len).put(b, off, len);
    }

    @Override
    public void writeBoolean(boolean v) {
        write(v ? 1 : 0);
    }

    @Override
    public void writeByte(int v) {
        write(v);
    }

    @Override
    public void writeShort(int v) {
        room(Short.BYTES).putShort((short) v);
    }

    @Override
    public void writeChar(int v) {
        room(Character.BYTES).putChar((char) v);
    }

    @Override
    public void writeInt(int v) {
        room(Integer.BYTES).putInt(v);
    }

    @Override
    public void writeLong(long v) {
        room(Long.BYTES).putLong(v);
    }

    @Override
    public void writeFloat(float v) {
        room(Float.BYTES).putFloat(v);
    }

    @Override
    public void writeDouble(double v) {
        room(Double.BYTES).putDouble(v);
    }

    @Override
    public void writeBytes(String s) {
        s.chars().forEach(this::write);
    }

    @Override
    public void writeChars(String s) {
        s.chars().forEach(this::writeChar);
    }

    /** Of plain ASCII, as most names are, the length and the characters; the rest as the library writes it. */
    @Override
    public void writeUTF(String s) throws IOException {
        int length = s.length();
        ByteBuffer to = room(Short.BYTES + length);
        int start = to.position();
        to.position(start + Short.BYTES);
        for (int i = 0; i < length; i++) {
            char c = s.charAt(i);
            if (c == 0 || c >= 0x80 || length > Short.MAX_VALUE) {
                to.position(start);
                writeAsTheLibrary(s);
                return;
            }
            to.put((byte) c);
        }
        to.putShort(start, (short) length);
    }

    private void writeAsTheLibrary(String s) throws IOException {
        var encoded = new ByteArrayOutputStream();
        try (var to = new DataOutputStream(encoded)) {
            to.writeUTF(s);
        }
        write(encoded.toByteArray());
    }
}
