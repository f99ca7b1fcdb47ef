package io.weir.app.config;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.flow.load.LoadJob;
import io.weir.flow.replicate.ReplicatedJob;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A job file after reading.
 *
 * @param ledger null: the embedded server, or served
 * @param served null: the ledger's database is known
 * @param lease how long a process of this ledger may be silent before others take over
 * @param catalog null: the catalog is on the ledger's server
 * @param lineage where lineage is told: an address or a file; null: nowhere
 * @param alerts where people are told of replication
 * @param jobs by name; each with its tables, which are loaded as one cut
 * @param replications jobs that replicate, by name
 */
public record JobFile(
        Path path,
        @Nullable DatabaseConfig ledger,
        @Nullable ServedConfig served,
        Duration lease,
        Path warehouse,
        @Nullable DatabaseConfig catalog,
        @Nullable String lineage,
        AlertConfig alerts,
        Map<String, DatabaseConfig> sources,
        Map<String, List<LoadJob>> jobs,
        Map<String, ReplicatedJob> replications) {
    public JobFile {
        sources = Map.copyOf(sources);
        // Jobs run in the order in which the file names them.
        jobs = Collections.unmodifiableMap(new LinkedHashMap<>(jobs));
        replications = Collections.unmodifiableMap(new LinkedHashMap<>(replications));
    }

    /**
     * The tables to load, job after job.
     *
     * @param name one job, or null for all
     * @throws WeirException {@link ErrorCode#JOB_NOT_FOUND}
     */
    public List<LoadJob> select(@Nullable String name) {
        if (name == null) {
            return jobs.values().stream().flatMap(List::stream).toList();
        }
        List<LoadJob> job = jobs.get(name);
        if (job == null) {
            throw notFound(name, "load", jobs);
        }
        return job;
    }

    /**
     * The jobs that replicate.
     *
     * @param name one job, or null for all
     * @throws WeirException {@link ErrorCode#JOB_NOT_FOUND} also if there is none at all
     */
    public List<ReplicatedJob> replicated(@Nullable String name) {
        if (name == null && !replications.isEmpty()) {
            return List.copyOf(replications.values());
        }
        ReplicatedJob job = name == null ? null : replications.get(name);
        if (job == null) {
            throw notFound(name == null ? "with replicate" : name, "replicate", replications);
        }
        return List.of(job);
    }

    private WeirException notFound(String name, String verb, Map<String, ?> known) {
        return new WeirException(
                ErrorCode.JOB_NOT_FOUND,
                "Cannot find job " + name + " in " + path + ": the jobs that " + verb + " are "
                        + (known.isEmpty() ? "none" : String.join(", ", known.keySet())));
    }
}
