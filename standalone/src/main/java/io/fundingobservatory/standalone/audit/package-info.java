/**
 * Rows of a service compared with what its venues return. In: the rows of both sides. Out: which are equal, which moved, and which
 * differ.
 */
@NullMarked
package io.fundingobservatory.standalone.audit;

import org.jspecify.annotations.NullMarked;
