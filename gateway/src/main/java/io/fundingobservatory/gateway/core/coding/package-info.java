/**
 * The bytes of a response. In: parts of a body as they are, what a client accepts. Out: the same bytes in each coding, put together of
 * parts that are compressed once, with their tag.
 */
@NullMarked
package io.fundingobservatory.gateway.core.coding;

import org.jspecify.annotations.NullMarked;
