@NullMarked
package io.weir.app.config;

import org.jspecify.annotations.NullMarked;
