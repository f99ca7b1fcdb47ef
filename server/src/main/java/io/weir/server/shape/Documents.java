package io.weir.server.shape;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads bodies of calls: bounded, without a field twice, and of a known shape. */
public final class Documents {
    private static final int DEPTH_MAX = 20;
    private static final int NUMBER_MAX = 60;
    private static final int TEXT_MAX = 100_000;
    private static final int OFFENCES_MAX = 20;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEPTH_MAX)
                            .maxNumberLength(NUMBER_MAX)
                            .maxStringLength(TEXT_MAX)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Documents() {}

    /**
     * Reads a body; an empty one counts as an empty object.
     *
     * @throws WeirException {@link ErrorCode#REQUEST_INVALID} with every offence
     */
    public static Values read(Shape shape, byte[] body) {
        List<String> offences = new ArrayList<>();
        Values values = Values.read(shape, tree(body), "", offences);
        if (!offences.isEmpty()) {
            throw invalid(offences);
        }
        return values;
    }

    /** The error for fields that cannot be used, each named. */
    public static WeirException invalid(List<String> offences) {
        List<String> shown = offences.subList(0, Math.min(OFFENCES_MAX, offences.size()));
        return WeirException.of(
                ErrorCode.REQUEST_INVALID,
                "Cannot read the request: " + shown.get(0)
                        + (offences.size() > 1 ? " (and " + (offences.size() - 1) + " more)" : ""),
                Map.of("fields", List.copyOf(shown)));
    }

    private static JsonNode tree(byte[] body) {
        if (body.length == 0) {
            return MAPPER.createObjectNode();
        }
        try {
            return MAPPER.readTree(body);
        } catch (JsonProcessingException e) {
            throw invalid(List.of("/: no usable JSON: " + e.getOriginalMessage()));
        } catch (IOException e) {
            throw invalid(List.of("/: no usable JSON: " + e.getClass().getSimpleName()));
        }
    }
}
