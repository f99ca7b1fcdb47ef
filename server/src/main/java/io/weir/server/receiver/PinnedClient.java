package io.weir.server.receiver;

import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.util.Timeout;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;

/**
 * Clients that connect only to addresses that were checked. Redirects are not followed, nothing is
 * sent again by itself, and no connection is kept.
 */
public final class PinnedClient {
    private PinnedClient() {}

    /**
     * Opens nothing yet.
     *
     * @param connections at once
     */
    public static CloseableHttpClient of(AddressGuard guard, Duration timeout, int connections) {
        Timeout bound = Timeout.of(timeout);
        return HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setDnsResolver(new Pinned(guard))
                        .setMaxConnPerRoute(connections)
                        .setMaxConnTotal(connections)
                        .setDefaultConnectionConfig(ConnectionConfig.custom()
                                .setConnectTimeout(bound)
                                .setSocketTimeout(bound)
                                .build())
                        .build())
                .setDefaultRequestConfig(
                        RequestConfig.custom().setResponseTimeout(bound).build())
                // A connection that is kept would lead where the name did not lead for long.
                .setConnectionReuseStrategy((request, response, context) -> false)
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableContentCompression()
                .build();
    }

    /** The only way from a name to an address. */
    private record Pinned(AddressGuard guard) implements DnsResolver {
        @Override
        public InetAddress[] resolve(String host) throws UnknownHostException {
            return guard.targets(host);
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }
}
