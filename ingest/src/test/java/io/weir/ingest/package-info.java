@NullMarked
package io.weir.ingest;

import org.jspecify.annotations.NullMarked;
