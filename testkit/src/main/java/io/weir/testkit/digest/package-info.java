/**
 * The test vectors of the digest format, read from {@code vectors.json}. They were computed without
 * any code of Weir; every encoder is tested against them.
 */
@NullMarked
package io.weir.testkit.digest;

import org.jspecify.annotations.NullMarked;
