package io.weir.server.http;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;

/** A certificate and its key, from PEM files. */
public final class Certificate {
    /** Of a store that exists in memory only; the key is protected by the rights of its file. */
    private static final String PASSWORD = "memory";

    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "Ed25519");

    private final KeyStore keyStore;

    private Certificate(KeyStore keyStore) {
        this.keyStore = keyStore;
    }

    /**
     * Reads the files.
     *
     * @param chain certificates in PEM, the server's own first
     * @param key its key, PKCS #8 in PEM, without a password
     * @throws WeirException {@link ErrorCode#CONFIG_INVALID}
     */
    public static Certificate read(Path chain, Path key) {
        try (InputStream stream = Files.newInputStream(chain)) {
            var certificates = CertificateFactory.getInstance("X.509")
                    .generateCertificates(stream)
                    .toArray(new java.security.cert.Certificate[0]);
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("weir", key(key), PASSWORD.toCharArray(), certificates);
            return new Certificate(store);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Cannot use certificate " + chain + " with key " + key
                            + ": not a chain and its key in PEM, PKCS #8",
                    e);
        }
    }

    private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
        String text = Files.readString(file, StandardCharsets.US_ASCII)
                .replaceAll("-----[A-Z ]+-----", "")
                .replaceAll("\\s", "");
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(text));
        GeneralSecurityException last = new GeneralSecurityException("no key of a known kind");
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (GeneralSecurityException e) {
                // The key is of another kind: the next one is tried.
                last = e;
            }
        }
        throw last;
    }

    KeyStore keyStore() {
        return keyStore;
    }

    String password() {
        return PASSWORD;
    }
}
