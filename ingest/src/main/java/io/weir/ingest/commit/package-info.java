/** What connections of one process share for one table: committer, lease, files. */
@NullMarked
package io.weir.ingest.commit;

import org.jspecify.annotations.NullMarked;
