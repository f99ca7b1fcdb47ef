/** What the routes of outside runs do: documents to requests of the ledger, and back. */
@NullMarked
package io.weir.server.outside;

import org.jspecify.annotations.NullMarked;
