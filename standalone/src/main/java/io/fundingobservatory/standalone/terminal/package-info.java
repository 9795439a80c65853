/** The one line with which a failed command ends. */
@NullMarked
package io.fundingobservatory.standalone.terminal;

import org.jspecify.annotations.NullMarked;
