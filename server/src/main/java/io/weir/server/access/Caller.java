package io.weir.server.access;

import io.weir.ledger.access.ApiToken;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Who calls.
 *
 * @param name of the token; it stands for the person or the flow that it was given to
 */
public record Caller(String name, Role role, Set<Scope> scopes) {
    /** Nobody: may do what needs no scope. */
    public static final Caller NOBODY = new Caller("nobody", Role.VIEWER, Set.of());

    static Caller of(ApiToken token) {
        Role role = Role.parse(token.role()).orElseThrow();
        Set<Scope> scopes = EnumSet.noneOf(Scope.class);
        for (Scope scope : role.scopes()) {
            if (token.scopes().isEmpty() || token.scopes().contains(scope.text())) {
                scopes.add(scope);
            }
        }
        return new Caller(token.name(), role, Collections.unmodifiableSet(scopes));
    }
}
