package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.ledger.access.ApiToken;
import io.weir.ledger.outside.Actor;
import io.weir.ledger.outside.Digests;
import io.weir.server.access.Role;
import io.weir.server.access.Scope;
import io.weir.server.access.TokenText;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code weir token}: who may call the API. */
@Command(
        name = "token",
        description = "Make, list and revoke tokens of the API.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            TokenCommand.Create.class,
            TokenCommand.Tokens.class,
            TokenCommand.Revoke.class
        })
public final class TokenCommand {
    private static final SecureRandom CHANCE = new SecureRandom();
    private static final int DAYS_MAX = 365;

    /** Bytes for a token. */
    static byte[] chance() {
        byte[] bytes = new byte[TokenText.BYTES];
        CHANCE.nextBytes(bytes);
        return bytes;
    }

    private static Actor actor() {
        return new Actor(System.getProperty("user.name", "unknown"), "command line", "-");
    }

    /** Makes one. */
    @Command(
            name = "create",
            description = "Make a token and print it, this once.",
            mixinStandardHelpOptions = true)
    static final class Create implements Callable<Integer> {
        @Spec
        private @Nullable CommandSpec spec;

        @Mixin
        private LedgerOptions ledger = new LedgerOptions();

        @Parameters(paramLabel = "NAME", description = "Who it is given to; stays in the journal.")
        private String name = "";

        @Option(
                names = "--role",
                required = true,
                paramLabel = "ROLE",
                description = "worker (also nifi), viewer, operator or admin.")
        private String role = "";

        @Option(
                names = "--scope",
                paramLabel = "SCOPE",
                description = "Only this scope of the role; may be repeated.")
        private List<String> scopes = List.of();

        @Option(
                names = "--days",
                defaultValue = "90",
                paramLabel = "N",
                description = "It ends after so many days (default: ${DEFAULT-VALUE}).")
        private int days;

        @Override
        public Integer call() {
            Role known = Role.parse(role)
                    .orElseThrow(() -> new WeirException(
                            ErrorCode.CONFIG_INVALID,
                            "Cannot create token " + name + ": no such role (role=" + role + ")"));
            List<String> possible =
                    known.scopes().stream().map(Scope::text).sorted().toList();
            if (days < 1 || days > DAYS_MAX || !possible.containsAll(scopes)) {
                throw new WeirException(
                        ErrorCode.CONFIG_INVALID,
                        "Cannot create token " + name + ": it lives 1 to " + DAYS_MAX
                                + " days and has scopes of its role (scopes of " + known.text()
                                + "=" + String.join(", ", possible) + ")");
            }
            TokenText text = TokenText.of(known, chance());
            try (Composition house = ledger.compose()) {
                house.ledger()
                        .access()
                        .create(
                                text.id(),
                                name,
                                known.text(),
                                scopes,
                                Digests.sha256(text.text()),
                                Duration.ofDays(days),
                                actor());
            }
            Terminal.out(spec).println(text.text());
            return 0;
        }
    }

    /** Lists them. */
    @Command(
            name = "list",
            description = "List tokens without their secrets, newest first.",
            mixinStandardHelpOptions = true)
    static final class Tokens implements Callable<Integer> {
        @Spec
        private @Nullable CommandSpec spec;

        @Mixin
        private LedgerOptions ledger = new LedgerOptions();

        @Mixin
        private OutputOptions output = new OutputOptions();

        @Override
        public Integer call() {
            PrintWriter out = Terminal.out(spec);
            try (Composition house = ledger.compose()) {
                for (ApiToken token : house.ledger().access().tokens()) {
                    out.println(output.json() ? json(token) : line(token));
                }
            }
            return 0;
        }

        private static String line(ApiToken token) {
            String end = token.revokedAt() == null
                    ? "until " + token.expiresAt()
                    : "revoked " + token.revokedAt();
            return String.join("  ", Arrays.asList(token.id(), token.role(), token.name(), end));
        }

        private static String json(ApiToken token) {
            return Json.line(Json.object()
                    .put("id", token.id())
                    .put("name", token.name())
                    .put("role", token.role())
                    .put("expiresAt", token.expiresAt().toString())
                    .put(
                            "revokedAt",
                            token.revokedAt() == null ? null : token.revokedAt().toString()));
        }
    }

    /** Ends one. */
    @Command(
            name = "revoke",
            description = "Refuse a token, everywhere when this ends.",
            mixinStandardHelpOptions = true)
    static final class Revoke implements Callable<Integer> {
        @Spec
        private @Nullable CommandSpec spec;

        @Mixin
        private LedgerOptions ledger = new LedgerOptions();

        @Parameters(paramLabel = "ID", description = "As weir token list shows it.")
        private String id = "";

        @Override
        public Integer call() {
            try (Composition house = ledger.compose()) {
                ApiToken token = house.ledger()
                        .access()
                        .revoke(id, actor())
                        .orElseThrow(() -> new WeirException(
                                ErrorCode.CONFIG_NOT_FOUND,
                                "Cannot revoke token " + id + ": there is no such token",
                                "weir token list shows them.",
                                null));
                Terminal.out(spec).println("Revoked " + token.name() + ".");
            }
            return 0;
        }
    }
}
