/**
 * Reads queries. In: a query as it was sent, and what an endpoint takes. Out: the venues, assets, selection and form that it names, or why
 * it cannot be read.
 */
@NullMarked
package io.fundingobservatory.gateway.core.request;

import org.jspecify.annotations.NullMarked;
