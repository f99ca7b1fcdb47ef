package io.weir.client;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Whose certificates a client believes. */
public final class Trust {
    private Trust() {}

    /**
     * Only those that the certificates of a file signed, and these themselves.
     *
     * @param file one or more certificates, PEM
     * @throws WeirException {@link ErrorCode#CONFIG_INVALID}
     */
    public static SSLContext in(Path file) {
        try (InputStream stream = Files.newInputStream(file)) {
            Collection<? extends Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(stream);
            if (certificates.isEmpty()) {
                throw refused(file, "it holds no certificate", null);
            }
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate certificate : certificates) {
                store.setCertificateEntry("authority-" + number, certificate);
                number++;
            }
            TrustManagerFactory trusted =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trusted.getTrustManagers(), null);
            return context;
        } catch (IOException e) {
            throw refused(file, "it cannot be read", e);
        } catch (GeneralSecurityException e) {
            throw refused(file, "it holds no certificate in PEM", e);
        }
    }

    private static WeirException refused(Path file, String why, @Nullable Exception cause) {
        return new WeirException(
                ErrorCode.CONFIG_INVALID,
                "Cannot trust the certificates of " + file + ": " + why,
                "Name a file with the certificate of the authority, PEM.",
                cause);
    }
}
