/**
 * What is asked. In: method, path, query and conditional fields. Out: a route, and the exchanges, assets and limit that the query names,
 * or what of it cannot be read.
 */
@NullMarked
package io.fundingobservatory.gateway.core.request;

import org.jspecify.annotations.NullMarked;
