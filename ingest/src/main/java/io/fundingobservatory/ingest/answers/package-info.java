/**
 * What an exchange answered. In: a body. Out: a packed document, what its members say as text, number or instant, and a row skipped with a
 * counted reason where they say nothing readable. Pure.
 */
@NullMarked
package io.fundingobservatory.ingest.answers;

import org.jspecify.annotations.NullMarked;
