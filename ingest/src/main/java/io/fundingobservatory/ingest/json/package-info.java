/**
 * Packed bodies of venues. In: a body. Out: a packed document, and its members as text, number or instant. A
 * row with unreadable members is skipped with a counted reason. Pure.
 */
@NullMarked
package io.fundingobservatory.ingest.json;

import org.jspecify.annotations.NullMarked;
