package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.client.HttpLedger;
import io.weir.client.LedgerAddress;
import io.weir.client.Trust;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.ledger.outside.OutsideSettings;
import io.weir.server.access.Role;
import io.weir.server.http.Certificate;
import io.weir.server.http.Listen;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;

/** A server with a certificate of its own. */
class TlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    Path directory;

    /** A key pair from the tool of the JDK, as a store; its PEM files are beside it. */
    private KeyStore pair() throws Exception {
        Path store = directory.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "weir",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost,ip:127.0.0.1",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD))
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore pair = KeyStore.getInstance("PKCS12");
        try (InputStream stream = Files.newInputStream(store)) {
            pair.load(stream, PASSWORD);
        }
        pem("chain.pem", "CERTIFICATE", pair.getCertificate("weir").getEncoded());
        pem("key.pem", "PRIVATE KEY", pair.getKey("weir", PASSWORD).getEncoded());
        return pair;
    }

    private void pem(String file, String kind, byte[] bytes) throws IOException {
        Files.writeString(
                directory.resolve(file),
                "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes)
                        + "\n-----END " + kind + "-----\n");
    }

    private static HttpClient trusting(KeyStore pair) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("weir", pair.getCertificate("weir"));
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    @Test
    void anAddressThatIsTakenIsNamed() throws Exception {
        InetAddress here = InetAddress.getLoopbackAddress();
        try (House house = new House();
                ServerSocket taken = new ServerSocket(0, 1, here)) {
            int port = taken.getLocalPort();
            ServerSettings settings = new ServerSettings(
                    Listen.of("127.0.0.1", port, null, false),
                    null,
                    Set.of(),
                    Duration.ofSeconds(5),
                    null);

            assertThatThrownBy(() -> WeirServer.start(
                            house.books,
                            house.outside(OutsideSettings.DEFAULTS),
                            house.books.access(),
                            settings,
                            UUID::randomUUID,
                            House::chance))
                    .isInstanceOf(WeirException.class)
                    .hasMessageStartingWith("Cannot listen on 127.0.0.1:" + port + ": ");
        }
    }

    @Test
    void servesTlsToThoseWhoTrustIt() throws Exception {
        KeyStore pair = pair();
        Certificate certificate =
                Certificate.read(directory.resolve("chain.pem"), directory.resolve("key.pem"));
        try (House house = new House();
                WeirServer server = WeirServer.start(
                        house.books,
                        house.outside(OutsideSettings.DEFAULTS),
                        house.books.access(),
                        new ServerSettings(
                                Listen.of("0.0.0.0", 0, certificate, false),
                                null,
                                Set.of(),
                                Duration.ofSeconds(5),
                                null),
                        UUID::randomUUID,
                        House::chance)) {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("https://localhost:" + server.port() + "/livez"))
                    .build();
            HttpResponse<String> answer =
                    trusting(pair).send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.sslSession().orElseThrow().getProtocol()).startsWith("TLSv1.");
            assertThatThrownBy(() -> HttpClient.newHttpClient()
                            .send(request, HttpResponse.BodyHandlers.ofString()))
                    .isInstanceOf(SSLHandshakeException.class);
        }
    }

    @Test
    void aWorkerShowsItsTokenOnlyToAServerThatItTrusts() throws Exception {
        pair();
        Path chain = directory.resolve("chain.pem");
        Certificate certificate = Certificate.read(chain, directory.resolve("key.pem"));
        try (House house = new House();
                WeirServer server = WeirServer.start(
                        house.books,
                        house.outside(OutsideSettings.DEFAULTS),
                        house.books.access(),
                        new ServerSettings(
                                Listen.of("0.0.0.0", 0, certificate, false),
                                null,
                                Set.of(),
                                Duration.ofSeconds(5),
                                null),
                        UUID::randomUUID,
                        House::chance)) {
            LedgerAddress address = LedgerAddress.parse("https://localhost:" + server.port());
            String token = house.token(Role.WORKER);
            Duration patience = HttpLedger.TIMEOUT_DEFAULT;
            HttpLedger trusting = HttpLedger.of(address, token, patience, Trust.in(chain));
            assertThat(trusting.workers()).isEmpty();
            assertThat(trusting.outside().newest(null, 10)).isEmpty();

            HttpLedger doubting = HttpLedger.of(address, token, patience);
            assertThatThrownBy(doubting::workers).isInstanceOfSatisfying(WeirException.class, e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.LEDGER_INVALID);
                assertThat(e.text())
                        .contains("Cannot trust the ledger server https://localhost:")
                        .doesNotContain(token);
                assertThat(e.hint()).contains("--ledger-ca");
            });
            HttpLedger elsewhere = HttpLedger.of(
                    LedgerAddress.parse("https://127.0.0.2:" + server.port()),
                    token,
                    patience,
                    Trust.in(chain));
            assertThatThrownBy(elsewhere::workers)
                    .as("the certificate is of another host")
                    .isInstanceOfSatisfying(
                            WeirException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.LEDGER_INVALID));
        }
        for (String file : List.of("key.pem", "none.pem")) {
            assertThatThrownBy(() -> Trust.in(directory.resolve(file)))
                    .isInstanceOfSatisfying(WeirException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID);
                        assertThat(e.text()).contains(file);
                    });
        }
    }

    @Test
    void filesThatAreNoCertificateAreNamed() throws Exception {
        pair();
        Path chain = directory.resolve("chain.pem");
        Path wrong = Files.writeString(directory.resolve("wrong.pem"), "no key");
        assertThatThrownBy(() -> Certificate.read(chain, wrong))
                .isInstanceOfSatisfying(WeirException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID);
                    assertThat(e.text()).contains("wrong.pem");
                });
        assertThatThrownBy(() -> Certificate.read(directory.resolve("none.pem"), chain))
                .isInstanceOf(WeirException.class);
    }
}
