package io.fundingobservatory.streams.formats;

import io.fundingobservatory.streams.settlements.ErrorHistogram;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** How the errors of a venue and UTC day are stored: the number of buckets, then each with its count. */
public final class ErrorHistogramFormat {
    public static final Format<ErrorHistogram> FORMAT =
            new Format<>("error-histogram", 1, ErrorHistogramFormat::write, ErrorHistogramFormat::read);

    private ErrorHistogramFormat() {}

    private static void write(ErrorHistogram histogram, DataOutput to) throws IOException {
        to.writeInt(histogram.counts().size());
        for (Map.Entry<Integer, Integer> bucket : histogram.counts().entrySet()) {
            to.writeInt(bucket.getKey());
            to.writeInt(bucket.getValue());
        }
    }

    private static ErrorHistogram read(DataInput from) throws IOException {
        var counts = new TreeMap<Integer, Integer>();
        for (int i = from.readInt(); i > 0; i--) {
            counts.put(from.readInt(), from.readInt());
        }
        return ErrorHistogram.of(counts);
    }
}
