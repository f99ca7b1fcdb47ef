/** A real PostgreSQL for tests: one server for each JVM, one database for each test. */
@NullMarked
package io.weir.testkit.postgresql;

import org.jspecify.annotations.NullMarked;
