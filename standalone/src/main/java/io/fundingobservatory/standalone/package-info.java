/**
 * The command line, and everything in one process: the embedded broker, simulated exchanges where wanted, and the three services. In: a
 * command line. Out: an exit code, and one line on standard error where it is not 0.
 */
@NullMarked
package io.fundingobservatory.standalone;

import org.jspecify.annotations.NullMarked;
