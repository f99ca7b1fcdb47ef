package io.weir.server.access;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Who a caller is. Workers have no rights of operators, operators none of workers. */
public enum Role {
    WORKER,
    VIEWER,
    OPERATOR,
    ADMIN;

    /** What flows of the older design call a worker. */
    private static final String WORKER_ALIAS = "nifi";

    public Set<Scope> scopes() {
        return switch (this) {
            case WORKER ->
                EnumSet.of(
                        Scope.RUNS_CREATE,
                        Scope.RUNS_READ,
                        Scope.PARTS_WORK,
                        Scope.VALIDATE_WORK,
                        Scope.PUBLISH_WORK,
                        Scope.CLEANUP_WORK);
            case VIEWER -> EnumSet.of(Scope.RUNS_READ);
            case OPERATOR ->
                EnumSet.of(
                        Scope.RUNS_READ,
                        Scope.CLEANUP_WORK,
                        Scope.OPERATOR_ACT,
                        Scope.OPERATOR_RESOLVE,
                        Scope.AUDIT_READ);
            case ADMIN -> {
                Set<Scope> scopes = OPERATOR.scopes();
                scopes.add(Scope.ADMIN_TOKENS);
                yield scopes;
            }
        };
    }

    /** As the books and the command line spell it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Role> parse(String text) {
        if (text.equals(WORKER_ALIAS)) {
            return Optional.of(WORKER);
        }
        return Arrays.stream(values()).filter(role -> role.text().equals(text)).findFirst();
    }
}
