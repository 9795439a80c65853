/**
 * The routes and filters of the public port. A request enters behind the HTTP codec; a response leaves whose prepared bytes are
 * shared with every other response that has the same ones.
 */
@NullMarked
package io.fundingobservatory.gateway.http;

import org.jspecify.annotations.NullMarked;
