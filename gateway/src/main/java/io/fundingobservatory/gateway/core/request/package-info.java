/**
 * Reads requests. In: method, path, query and conditional fields. Out: a route, and the venues, assets and
 * limit that the query names, or the part of it that cannot be read.
 */
@NullMarked
package io.fundingobservatory.gateway.core.request;

import org.jspecify.annotations.NullMarked;
