/** The house rules that no tool sells, checked over the whole repository. */
@NullMarked
package io.weir.testkit.tidy;

import org.jspecify.annotations.NullMarked;
