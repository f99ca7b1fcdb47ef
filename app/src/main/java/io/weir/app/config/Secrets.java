package io.weir.app.config;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Resolves {@code ${env:NAME}} and {@code ${file:/path}}. */
public final class Secrets {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(env|file):([^}]+)}");

    private final Path directory;
    private final UnaryOperator<@Nullable String> environment;

    /**
     * Prepares to resolve.
     *
     * @param directory what relative file references are relative to
     * @param environment looks a variable up; null if it is not set
     */
    public Secrets(Path directory, UnaryOperator<@Nullable String> environment) {
        this.directory = directory;
        this.environment = environment;
    }

    /**
     * The text with every reference replaced; a file's last line end is not part of the secret.
     *
     * @throws WeirException {@link ErrorCode#SECRET_NOT_FOUND} naming the reference, never a value
     */
    public String resolve(String text) {
        Matcher matcher = REFERENCE.matcher(text);
        StringBuilder resolved = new StringBuilder();
        while (matcher.find()) {
            String value = matcher.group(1).equals("env")
                    ? fromEnvironment(matcher.group(2))
                    : fromFile(matcher.group(2));
            matcher.appendReplacement(resolved, Matcher.quoteReplacement(value));
        }
        return matcher.appendTail(resolved).toString();
    }

    public @Nullable String resolveOptional(@Nullable String text) {
        return text == null ? null : resolve(text);
    }

    private String fromEnvironment(String name) {
        String value = environment.apply(name);
        if (value == null) {
            throw new WeirException(
                    ErrorCode.SECRET_NOT_FOUND,
                    "Cannot resolve ${env:" + name + "}: the variable is not set");
        }
        return value;
    }

    private String fromFile(String name) {
        Path file = directory.resolve(name);
        try {
            String value = Files.readString(file);
            return value.endsWith("\n") ? value.substring(0, value.length() - 1) : value;
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.SECRET_NOT_FOUND,
                    "Cannot resolve ${file:" + name + "}: the file cannot be read (path="
                            + file
                            + ")",
                    e);
        }
    }
}
