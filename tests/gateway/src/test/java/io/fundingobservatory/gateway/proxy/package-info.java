/** Tests of nginx with the file that is shipped: what API clients receive through it. They need nginx on the path. */
@NullMarked
package io.fundingobservatory.gateway.proxy;

import org.jspecify.annotations.NullMarked;
