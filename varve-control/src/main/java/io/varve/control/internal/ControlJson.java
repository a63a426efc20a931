package io.varve.control.internal;

import io.varve.control.ControlException;
import io.varve.control.ControlException.Reason;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The JSON of requests and answers.
public final class ControlJson {
  /// No request nests, and no figure: what does is a mistake or an attack.
  private static final int DEPTH_MAX = 16;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  private ControlJson() {}

  /// A value as JSON in UTF-8.
  public static byte[] write(Object value) {
    return MAPPER.writeValueAsBytes(value);
  }

  /// A request.
  ///
  /// @throws ControlException if it is none that this version of the protocol has
  static Request request(byte[] json) {
    try {
      JsonNode tree = MAPPER.readTree(json);
      int version = tree.path("version").asInt(0);
      if (version != Request.VERSION) {
        throw new ControlException(
            Reason.BAD_REQUEST,
            "the command and the process that holds the store speak different versions: asked="
                + version
                + ", held="
                + Request.VERSION
                + "; use the command of the version that the process has");
      }
      Request request = MAPPER.treeToValue(tree, Request.class);
      if (request.operation() == null) {
        throw new ControlException(Reason.BAD_REQUEST, "a request without an operation");
      }
      return request;
    } catch (JacksonException e) {
      throw new ControlException(Reason.BAD_REQUEST, "not a request: " + e.getOriginalMessage(), e);
    }
  }

  /// What JSON stands for.
  ///
  /// @throws ControlException if it is something else
  public static <T> T read(byte[] json, Class<T> type) {
    try {
      return MAPPER.readValue(json, type);
    } catch (JacksonException e) {
      throw new ControlException(
          Reason.FAILED,
          "the process that holds the store has answered what is no "
              + type.getSimpleName()
              + ": "
              + e.getOriginalMessage(),
          e);
    }
  }
}
