package io.weir.table;

import io.weir.testkit.proxy.Ending;
import io.weir.testkit.proxy.Fault;
import io.weir.testkit.proxy.FaultProxy;
import io.weir.testkit.proxy.Protocol;
import io.weir.testkit.proxy.Request;

/**
 * Stands between a catalog and its database and knows the one statement that moves a table. It can
 * let something else happen right before that statement arrives, or lose the reply to it.
 */
final class CatalogProxy implements AutoCloseable {
    private final FaultProxy proxy;

    CatalogProxy(String host, int port) {
        this.proxy = FaultProxy.start(Protocol.POSTGRESQL, host, port);
    }

    private static boolean isCommit(Request request) {
        return request.text().contains("UPDATE iceberg_tables SET metadata_location");
    }

    int port() {
        return proxy.port();
    }

    /** How often the statement was sent. */
    long commits() {
        return proxy.seen().stream().filter(CatalogProxy::isCommit).count();
    }

    /** Runs something once, between the moment the next commit is sent and its arrival. */
    void beforeNextCommit(Runnable action) {
        proxy.before(CatalogProxy::isCommit, action);
    }

    /** Lets the next commit happen and cuts the connection instead of passing the reply on. */
    void loseNextReply() {
        proxy.at(CatalogProxy::isCommit, Fault.CUT_AFTER);
    }

    /** Cuts every connection. */
    void cut() {
        proxy.cutAll(Ending.CLOSE);
    }

    @Override
    public void close() {
        proxy.close();
    }
}
