/**
 * The job file: one YAML file, one record tree. Every problem is reported at once, each with file,
 * line and column; secrets are references that are resolved only when something connects.
 */
@NullMarked
package io.weir.app.config;

import org.jspecify.annotations.NullMarked;
