/**
 * Quotes go in, and what the topics must hold comes out: a plain model that shares no code with what it judges.
 */
@NullMarked
package io.fundingobservatory.oracle;

import org.jspecify.annotations.NullMarked;
