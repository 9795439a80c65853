package io.fundingobservatory.streams.formats;

import io.fundingobservatory.topics.records.VenueQuality;

/** Format of a venue's published quality in its store. */
public final class VenueQualityFormat {
    public static final Format<VenueQuality> FORMAT = new Format<>(
            "venue-quality",
            1,
            (quality, to) -> {
                to.writeUTF(quality.venue());
                to.writeLong(quality.windowStartMs());
                to.writeLong(quality.windowEndMs());
                to.writeLong(quality.settlements());
                Fields.decimal(to, quality.errorP50());
                Fields.decimal(to, quality.errorP95());
            },
            from -> new VenueQuality(
                    from.readUTF(),
                    from.readLong(),
                    from.readLong(),
                    from.readLong(),
                    Fields.decimal(from),
                    Fields.decimal(from)));

    private VenueQualityFormat() {}
}
