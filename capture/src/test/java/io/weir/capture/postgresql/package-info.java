/** Tests against a real server whose time zone is far from that of the JVM. */
@NullMarked
package io.weir.capture.postgresql;

import org.jspecify.annotations.NullMarked;
