/** Telling people of replication: Slack, and whatever takes JSON. */
@NullMarked
package io.weir.server.alert;

import org.jspecify.annotations.NullMarked;
