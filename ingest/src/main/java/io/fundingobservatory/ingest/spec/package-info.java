/**
 * What a venue declares: requests, endpoints of settled rates, published limits, and how responses are read. In:
 * the declaration and responses. Out: quotes and settlements, and skipped rows with a counted reason. Pure.
 */
@NullMarked
package io.fundingobservatory.ingest.spec;

import org.jspecify.annotations.NullMarked;
