/**
 * An exchange's data sheet, declared in its reader: requests, where settled rates are published, published limits. In: the declaration, and
 * earlier answers where they name keys or the next page. Out: what may be asked of it, and how often. Pure.
 */
@NullMarked
package io.fundingobservatory.ingest.header;

import org.jspecify.annotations.NullMarked;
