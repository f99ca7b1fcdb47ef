/** What is measured at the source and again on the files, in one text form per type. */
@NullMarked
package io.weir.core.metric;

import org.jspecify.annotations.NullMarked;
