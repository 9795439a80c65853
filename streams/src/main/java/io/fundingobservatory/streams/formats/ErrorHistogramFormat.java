package io.fundingobservatory.streams.formats;

import io.fundingobservatory.streams.payments.ErrorHistogram;

/** How the errors of a venue and UTC day are stored. */
public final class ErrorHistogramFormat {
    public static final Format<ErrorHistogram> FORMAT =
            new Format<>("error-histogram", 1, ErrorHistogram::write, ErrorHistogram::read);

    private ErrorHistogramFormat() {}
}
