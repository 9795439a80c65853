/** What tests of every module share: waiting for a condition, free and silent ports, processes that end. */
@NullMarked
package io.fundingobservatory.testbed;

import org.jspecify.annotations.NullMarked;
