/** How the process begins. In: the command line of this process. Out: the same process with the memory that it is made for. */
@NullMarked
package io.fundingobservatory.standalone.launch;

import org.jspecify.annotations.NullMarked;
