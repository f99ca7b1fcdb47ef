package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.app.config.Secrets;
import io.weir.app.config.ServedConfig;
import io.weir.client.HttpLedger;
import io.weir.client.LedgerAddress;
import io.weir.client.Trust;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.regex.Pattern;

/** Options of commands that may reach the ledger through a server instead of its database. */
final class ServedLedger {
    /** The variable that holds the token where no file does. */
    static final String TOKEN = "WEIR_TOKEN";

    private static final Pattern TOKEN_FORM = Pattern.compile("[\\x21-\\x7e]{1,500}");

    @Option(
            names = "--ledger",
            paramLabel = "URL",
            description = "Reach the ledger through this weir server, http:// or https://.")
    private @Nullable String address;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "Where the token for that server is (default: the variable " + TOKEN + ").")
    private @Nullable Path tokenFile;

    @Option(
            names = "--ledger-ca",
            paramLabel = "PEM",
            description = "Trust only certificates of this authority (default: those that Java"
                    + " trusts).")
    private @Nullable Path authority;

    /**
     * The same house over the ledger that was named, if one was.
     *
     * @throws WeirException CONFIG_INVALID, SECRET_NOT_FOUND
     */
    Composition in(Composition house) {
        String named = address;
        if (named != null) {
            return served(house, named, token(), authority);
        }
        if (tokenFile != null || authority != null) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Cannot use --token-file or --ledger-ca: there is no server to show the token"
                            + " to",
                    "Name the server with --ledger URL.",
                    null);
        }
        ServedConfig written = house.servedConfig();
        if (written == null) {
            return house;
        }
        String secret = written.token();
        String token = secret == null ? token() : checked(house.secret(secret));
        String ca = written.authority();
        return served(house, written.url(), token, ca == null ? null : house.file(ca));
    }

    private static Composition served(
            Composition house, String url, String token, @Nullable Path authority) {
        return house.served(HttpLedger.of(
                LedgerAddress.parse(url),
                token,
                HttpLedger.TIMEOUT_DEFAULT,
                authority == null ? null : Trust.in(authority)));
    }

    private String token() {
        Path here = Path.of("").toAbsolutePath();
        String reference = tokenFile == null ? "${env:" + TOKEN + "}" : "${file:" + tokenFile + "}";
        return checked(new Secrets(here, System::getenv).resolve(reference));
    }

    private static String checked(String text) {
        String token = text.strip();
        if (!TOKEN_FORM.matcher(token).matches()) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Cannot use the token of the ledger server: it is empty or no token at all",
                    "Make one with weir token create.",
                    null);
        }
        return token;
    }
}
