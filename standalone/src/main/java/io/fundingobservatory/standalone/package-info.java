/** Everything in one process: the command line, the embedded broker, and the three services around it. */
@NullMarked
package io.fundingobservatory.standalone;

import org.jspecify.annotations.NullMarked;
