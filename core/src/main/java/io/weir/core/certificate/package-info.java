/** What a run proves, put together from the books alone. */
@NullMarked
package io.weir.core.certificate;

import org.jspecify.annotations.NullMarked;
