/** Services as processes, as they are packaged, that can be killed, stopped and started again. They end with the test. */
@NullMarked
package io.fundingobservatory.process;

import org.jspecify.annotations.NullMarked;
