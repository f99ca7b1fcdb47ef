package io.weir.server.access;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The text of a token: {@code weir_<role>_<id>_<secret><checksum>}. Prefix and checksum let a
 * scanner find a leaked token and a typing mistake be told without asking anybody.
 *
 * @param id 16 characters, public
 * @param text all of it
 */
public record TokenText(String id, String text) {
    /** Bytes of chance that a token is made of. */
    public static final int BYTES = 48;

    private static final int ID_LENGTH = 16;
    private static final int SECRET_LENGTH = 43;
    private static final int CHECKSUM_LENGTH = 6;
    private static final int ID_BYTES = 12;
    private static final String ALPHABET =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final Pattern FORM =
            Pattern.compile("(weir_(?:worker|operator|viewer|admin)_([0-9A-Za-z]{16})_"
                    + "[0-9A-Za-z]{43})([0-9A-Za-z]{6})");

    /**
     * Makes a token.
     *
     * @param chance {@link #BYTES} bytes from a cryptographic source
     */
    public static TokenText of(Role role, byte[] chance) {
        String id = letters(chance, 0, ID_BYTES, ID_LENGTH);
        String secret = letters(chance, ID_BYTES, BYTES - ID_BYTES, SECRET_LENGTH);
        String body = "weir_" + role.text() + "_" + id + "_" + secret;
        return new TokenText(id, body + checksum(body));
    }

    /** Reads a token; empty if it is none or was mistyped. */
    public static Optional<TokenText> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches() && checksum(matcher.group(1)).equals(matcher.group(3))
                ? Optional.of(new TokenText(matcher.group(2), text))
                : Optional.empty();
    }

    private static String checksum(String body) {
        CRC32 crc = new CRC32();
        crc.update(body.getBytes(StandardCharsets.US_ASCII));
        long rest = crc.getValue();
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < CHECKSUM_LENGTH; i++) {
            letters.append(ALPHABET.charAt((int) (rest % ALPHABET.length())));
            rest /= ALPHABET.length();
        }
        return letters.toString();
    }

    /** The bytes as a number to base 62, lowest digit first. */
    private static String letters(byte[] bytes, int from, int count, int length) {
        BigInteger rest = new BigInteger(1, bytes, from, count);
        BigInteger base = BigInteger.valueOf(ALPHABET.length());
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < length; i++) {
            BigInteger[] parts = rest.divideAndRemainder(base);
            letters.append(ALPHABET.charAt(parts[1].intValue()));
            rest = parts[0];
        }
        return letters.toString();
    }

    /** Never the secret. */
    @Override
    public String toString() {
        return "token " + id;
    }
}
