/**
 * The routes and filters of the public port. A request enters behind the HTTP codec; an answer leaves whose prepared bytes are
 * shared with every other answer that has the same ones.
 */
@NullMarked
package io.fundingobservatory.gateway.http;

import org.jspecify.annotations.NullMarked;
