package io.weir.capture.postgresql;

import io.weir.capture.CaptureSpec;
import io.weir.core.error.ErrorCode;
import io.weir.source.Refusal;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** What server, user and slot must fulfil, whatever the tables are. */
final class ServerRules {
    private static final int VERSION_MIN = 140_000;

    private static final String SERVER = """
            select current_setting('wal_level') as wal_level,
                pg_is_in_recovery() as standby,
                current_setting('server_version_num')::int as version,
                rolreplication or rolsuper as replication,
                rolname
            from pg_roles
            where rolname = current_user
            """;

    private static final String SLOT = """
            select plugin, slot_type, active, active_pid,
                database = current_database() as here,
                wal_status,
                to_jsonb(s) ->> 'invalidation_reason' as invalidation,
                pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::bigint as held
            from pg_replication_slots s
            where slot_name = ?
            """;

    private final CaptureSession session;
    private final CaptureSpec spec;
    private final String subject;

    ServerRules(CaptureSession session, CaptureSpec spec, String source) {
        this.session = session;
        this.spec = spec;
        this.subject = "Cannot capture source " + source + ": ";
    }

    private record Server(
            String walLevel, boolean standby, int version, boolean replication, String user) {}

    private record Slot(
            @Nullable String plugin,
            String type,
            boolean active,
            @Nullable String pid,
            boolean here,
            @Nullable String walStatus,
            @Nullable String invalidation,
            long held) {}

    List<Refusal> server() {
        Server server = session.query(
                        SERVER,
                        row -> new Server(
                                row.getString("wal_level"),
                                row.getBoolean("standby"),
                                row.getInt("version"),
                                row.getBoolean("replication"),
                                row.getString("rolname")))
                .get(0);
        List<Refusal> found = new ArrayList<>();
        if (!server.walLevel().equals("logical")) {
            found.add(refuse(
                    ErrorCode.CAPTURE_SERVER_UNFIT,
                    "its log does not hold what changes need (wal_level=" + server.walLevel() + ")",
                    "Run as a superuser: ALTER SYSTEM SET wal_level = 'logical'; then restart the"
                            + " server."));
        }
        if (server.version() < VERSION_MIN) {
            found.add(refuse(
                    ErrorCode.CAPTURE_SERVER_UNFIT,
                    "its log has no marks before PostgreSQL 14 (version=" + server.version() + ")",
                    "Upgrade the server, or load the tables instead."));
        }
        if (server.standby()) {
            found.add(refuse(
                    ErrorCode.CAPTURE_SERVER_UNFIT,
                    "it is a standby (in recovery=true)",
                    "Name the primary server in the job file."));
        }
        if (!server.replication()) {
            found.add(refuse(
                    ErrorCode.SOURCE_PRIVILEGE_MISSING,
                    "the user may not read the log (user=" + server.user()
                            + ", missing=REPLICATION)",
                    "Run as a superuser: ALTER ROLE " + CapturedRelation.quote(server.user())
                            + " REPLICATION;"));
        }
        return found;
    }

    /**
     * Against the slot.
     *
     * @param own whether a stream of this process reads the slot
     */
    List<Refusal> slot(boolean own) {
        List<Slot> slots = session.query(
                SLOT,
                row -> new Slot(
                        row.getString("plugin"),
                        row.getString("slot_type"),
                        row.getBoolean("active"),
                        row.getString("active_pid"),
                        row.getBoolean("here"),
                        row.getString("wal_status"),
                        row.getString("invalidation"),
                        row.getLong("held")),
                spec.slot());
        if (slots.isEmpty()) {
            return List.of(refuse(
                    ErrorCode.CAPTURE_SLOT_MISSING,
                    "there is no replication slot of this name (slot=" + spec.slot() + ")",
                    "A new slot begins now and knows nothing of earlier changes, so the tables are"
                            + " loaded anew with it: SELECT pg_create_logical_replication_slot("
                            + literal(spec.slot()) + ", 'pgoutput');"));
        }
        return slot(slots.get(0), own);
    }

    private List<Refusal> slot(Slot slot, boolean own) {
        String drop = "SELECT pg_drop_replication_slot(" + literal(spec.slot()) + ");";
        if (!"pgoutput".equals(slot.plugin()) || !slot.here()) {
            return List.of(refuse(
                    ErrorCode.CAPTURE_SLOT_LOST,
                    "the replication slot is for something else (slot=" + spec.slot() + ", type="
                            + slot.type() + ", plugin=" + slot.plugin() + ", this database="
                            + slot.here() + ")",
                    "Name another slot, or drop this one if nobody needs it: " + drop));
        }
        if (slot.invalidation() != null || "lost".equals(slot.walStatus())) {
            return List.of(refuse(
                    ErrorCode.CAPTURE_SLOT_LOST,
                    "the server has removed changes that the replication slot needed (slot="
                            + spec.slot() + ", wal_status=" + slot.walStatus() + ", reason="
                            + slot.invalidation() + ")",
                    "Changes are lost. Drop the slot, create it anew and load the tables again: "
                            + drop));
        }
        List<Refusal> found = new ArrayList<>();
        if (slot.active() && !own) {
            found.add(refuse(
                    ErrorCode.CAPTURE_SLOT_BUSY,
                    "another process reads the replication slot (slot=" + spec.slot() + ", pid="
                            + slot.pid() + ")",
                    "Wait for it, or end it: SELECT pg_terminate_backend(" + slot.pid() + ");"));
        }
        if (slot.held() > spec.slotBytesMax()) {
            found.add(refuse(
                    ErrorCode.CAPTURE_SLOT_FULL,
                    "the replication slot keeps more of the log on disk than allowed (slot="
                            + spec.slot() + ", bytes=" + slot.held() + ", allowed="
                            + spec.slotBytesMax() + ")",
                    "Allow more and read the changes, or give them up and load the tables again: "
                            + drop));
        }
        return found;
    }

    private Refusal refuse(ErrorCode code, String reason, String hint) {
        return new Refusal(code, subject + reason, hint);
    }

    static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
