package io.fundingobservatory.topics;

/** The release of this build, the same for every artefact of it. */
public final class Release {
    /** The version in the POM, such as {@code 1.0.0}. */
    public static final String NAME = "1.0.0";

    private Release() {}
}
