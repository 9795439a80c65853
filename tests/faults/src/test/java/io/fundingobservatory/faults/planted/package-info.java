/**
 * Class files changed while they are loaded: planted bugs that the invariants must find, and a wall clock that jumps.
 */
@NullMarked
package io.fundingobservatory.faults.planted;

import org.jspecify.annotations.NullMarked;
