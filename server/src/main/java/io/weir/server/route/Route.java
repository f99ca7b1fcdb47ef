package io.weir.server.route;

import io.weir.server.access.Scope;
import io.weir.server.shape.Shape;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Function;

/**
 * One method of one path: everything that the server, the document of the API and the tests know of
 * it.
 *
 * @param path with names in braces
 * @param summary one line for the document
 * @param scope what the caller must be allowed; null if anybody may call
 * @param request null for a method without a body
 * @param reply null if the reply is no JSON object
 * @param isList whether the reply is a list of that shape
 * @param query names of parameters that may follow the path
 * @param contract what the document says instead of the shapes; null where they say it
 * @param action what is done
 */
public record Route(
        Method method,
        String path,
        String summary,
        @Nullable Scope scope,
        @Nullable Shape request,
        @Nullable Shape reply,
        boolean isList,
        List<String> query,
        @Nullable Contract contract,
        Function<Call, Reply> action) {
    /** Of HTTP. */
    public enum Method {
        GET,
        POST,
        DELETE
    }

    public Route {
        query = List.copyOf(query);
    }

    public static Route get(
            String path, String summary, Scope scope, Shape reply, Function<Call, Reply> action) {
        return new Route(
                Method.GET, path, summary, scope, null, reply, false, List.of(), null, action);
    }

    public static Route post(
            String path,
            String summary,
            Scope scope,
            Shape request,
            Shape reply,
            Function<Call, Reply> action) {
        return new Route(
                Method.POST, path, summary, scope, request, reply, false, List.of(), null, action);
    }

    /** That anybody may call. */
    public static Route open(String path, String summary, Function<Call, Reply> action) {
        return new Route(
                Method.GET, path, summary, null, null, null, false, List.of(), null, action);
    }

    /** The same with parameters after the path. */
    public Route asking(String... names) {
        return new Route(
                method,
                path,
                summary,
                scope,
                request,
                reply,
                isList,
                List.of(names),
                contract,
                action);
    }

    /** The same with a list of the shape as reply. */
    public Route listing() {
        return new Route(
                method, path, summary, scope, request, reply, true, query, contract, action);
    }

    /** The same, described by a contract. */
    public Route under(Contract agreed) {
        return new Route(
                method, path, summary, scope, request, reply, isList, query, agreed, action);
    }
}
