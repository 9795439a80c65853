/**
 * Records as JSON, field by field and within bounds. In: a record, or the bytes of one. Out: its bytes, or the record; else a
 * {@code MalformedRecord} or {@code UnwritableRecord} that names the field. Knows no record and no topic.
 */
@NullMarked
package io.fundingobservatory.topics.json;

import org.jspecify.annotations.NullMarked;
