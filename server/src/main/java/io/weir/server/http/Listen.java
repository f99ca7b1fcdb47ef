package io.weir.server.http;

import io.javalin.config.JavalinConfig;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * Where the server listens.
 *
 * @param port 0 for any free one
 * @param certificate null for plain HTTP
 */
public record Listen(String host, int port, @Nullable Certificate certificate) {
    /**
     * Checks that nobody beyond this machine reaches the server in plain text.
     *
     * @param plainAllowed whether something in front of the server encrypts
     * @throws WeirException {@link ErrorCode#SERVER_INSECURE}
     */
    public static Listen of(
            String host, int port, @Nullable Certificate certificate, boolean plainAllowed) {
        boolean safe = certificate != null || plainAllowed || isLoopback(host);
        if (!safe) {
            throw new WeirException(
                    ErrorCode.SERVER_INSECURE,
                    "Cannot listen on " + host + ": without TLS only this machine may be served");
        }
        return new Listen(host, port, certificate);
    }

    private static boolean isLoopback(String host) {
        try {
            return Arrays.stream(InetAddress.getAllByName(host))
                    .allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Cannot listen on " + host + ": no such address on this machine",
                    e);
        }
    }

    void apply(JavalinConfig config) {
        Certificate chain = certificate;
        if (chain == null) {
            config.jetty.host = host;
            config.jetty.port = port;
            return;
        }
        config.jetty.addConnector((server, http) -> {
            HttpConfiguration secure = new HttpConfiguration(http);
            secure.addCustomizer(new SecureRequestCustomizer(false));
            SslContextFactory.Server tls = new SslContextFactory.Server();
            tls.setKeyStore(chain.keyStore());
            tls.setKeyStorePassword(chain.password());
            tls.setIncludeProtocols("TLSv1.3", "TLSv1.2");
            ServerConnector connector = new ServerConnector(
                    server,
                    new SslConnectionFactory(tls, "http/1.1"),
                    new HttpConnectionFactory(secure));
            connector.setHost(host);
            connector.setPort(port);
            return connector;
        });
    }
}
