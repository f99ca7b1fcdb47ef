@NullMarked
package io.weir.testkit.simulation;

import org.jspecify.annotations.NullMarked;
