package io.weir.app.config;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Where people are told of replication, as written in a job file. The addresses are secrets.
 *
 * @param slack an incoming webhook; may hold references to secrets; null: none
 * @param webhook takes JSON; the same
 * @param hosts that may be called although their addresses are not public
 */
public record AlertConfig(@Nullable String slack, @Nullable String webhook, List<String> hosts) {
    /** Nobody is told. */
    public static final AlertConfig NONE = new AlertConfig(null, null, List.of());

    public AlertConfig {
        hosts = List.copyOf(hosts);
    }

    @Override
    public String toString() {
        return "AlertConfig[hosts=" + hosts + "]";
    }
}
