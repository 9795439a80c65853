/**
 * The bytes of a response. In: rows and the form of a request. Out: JSON of their values, in each content coding, with a tag; put together
 * of parts that are compressed once.
 */
@NullMarked
package io.fundingobservatory.gateway.core.coding;

import org.jspecify.annotations.NullMarked;
