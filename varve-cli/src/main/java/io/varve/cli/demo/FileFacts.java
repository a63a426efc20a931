package io.varve.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What the space `stats` contains about a file, as JSON: enough to tell whether the index has all
/// of it.
///
/// @param bytes length of the content
/// @param words words in it
/// @param distinctWords words in it that differ, so its entries in the index
record FileFacts(long bytes, long words, long distinctWords) {
  private static final JsonMapper MAPPER = new JsonMapper();

  static FileFacts of(byte[] content, Map<String, Integer> counts) {
    long words = counts.values().stream().mapToLong(Integer::longValue).sum();
    return new FileFacts(content.length, words, counts.size());
  }

  byte[] encode() {
    return MAPPER
        .createObjectNode()
        .put("bytes", bytes)
        .put("words", words)
        .put("distinctWords", distinctWords)
        .toString()
        .getBytes(UTF_8);
  }

  static FileFacts decode(byte[] json) {
    JsonNode node = MAPPER.readTree(json);
    return new FileFacts(
        node.path("bytes").asLong(-1),
        node.path("words").asLong(-1),
        node.path("distinctWords").asLong(-1));
  }
}
