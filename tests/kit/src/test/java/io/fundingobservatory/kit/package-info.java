/** What test classes of a process share. */
@NullMarked
package io.fundingobservatory.kit;

import org.jspecify.annotations.NullMarked;
