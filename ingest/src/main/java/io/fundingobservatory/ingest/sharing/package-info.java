/** Who polls which venue, when several ingests run. */
@NullMarked
package io.fundingobservatory.ingest.sharing;

import org.jspecify.annotations.NullMarked;
