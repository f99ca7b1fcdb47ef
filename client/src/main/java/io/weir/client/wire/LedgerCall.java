package io.weir.client.wire;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.ledger.WorkLedger;

import java.lang.reflect.Type;

/**
 * One call of the ledger: everything that both sides of the line know of it. A question is a JSON
 * object with one field for each component; an answer is an object with the field {@code answer}.
 *
 * @param name last part of the path
 * @param scope what the token must allow, as tokens spell it
 * @param summary one line for the document of the API
 * @param question what is asked
 * @param answer type of what is answered
 * @param action what the side that has the books does
 */
public record LedgerCall<Q extends Record, A>(
        String name,
        String scope,
        String summary,
        Class<Q> question,
        Type answer,
        Action<Q, A> action) {
    /** The field that holds the answer. */
    public static final String ANSWER = "answer";

    private static final String ROOT = "/v1/ledger/";

    /** What is done with the books. */
    @FunctionalInterface
    public interface Action<Q extends Record, A> {
        /**
         * Answers the question.
         *
         * @param caller who the token was given to
         */
        A apply(WorkLedger ledger, Q question, String caller);
    }

    static <Q extends Record, A> LedgerCall<Q, A> of(
            String name,
            String scope,
            String summary,
            Class<Q> question,
            TypeReference<A> answer,
            Action<Q, A> action) {
        return new LedgerCall<>(name, scope, summary, question, answer.getType(), action);
    }

    /** Where it is served; always by POST. */
    public String path() {
        return ROOT + name;
    }

    /** The document of a question. */
    public ObjectNode document(Q asked) {
        return (ObjectNode) Wire.write(asked);
    }

    /**
     * Reads a question.
     *
     * @throws IllegalArgumentException if the document is none of this call
     */
    public Q asked(JsonNode document) {
        return question.cast(Wire.STRICT.read(question, document));
    }

    /**
     * The document of the answer.
     *
     * @param caller who the token was given to
     */
    public ObjectNode answer(WorkLedger ledger, Q asked, String caller) {
        ObjectNode reply = Json.object();
        reply.set(ANSWER, Wire.write(action.apply(ledger, asked, caller)));
        return reply;
    }

    /**
     * Reads an answer. Fields that are not known are passed over: a newer server may send more.
     *
     * @throws IllegalArgumentException if the document is no answer to this call
     */
    @SuppressWarnings("unchecked")
    public A read(JsonNode document) {
        return (A) Wire.TOLERANT.read(answer, document.path(ANSWER));
    }
}
