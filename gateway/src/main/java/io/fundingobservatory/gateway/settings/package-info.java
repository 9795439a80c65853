/** What an installation may set, one record for each area. In: configuration and environment. Out: typed values with defaults. */
@NullMarked
package io.fundingobservatory.gateway.settings;

import org.jspecify.annotations.NullMarked;
