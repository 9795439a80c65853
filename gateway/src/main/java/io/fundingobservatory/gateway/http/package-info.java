/**
 * The public port: four handlers around the framework's HTTP codec, and the filter behind it. In: connections and their bytes. Out: responses
 * whose prepared bytes are shared with every other response that has the same ones.
 */
@NullMarked
package io.fundingobservatory.gateway.http;

import org.jspecify.annotations.NullMarked;
