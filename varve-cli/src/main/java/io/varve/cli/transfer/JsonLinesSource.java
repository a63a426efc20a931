package io.varve.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Entry;
import io.varve.cli.console.ByteEncoding;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// JSON values, one a line, as entries. Empty lines are passed over.
final class JsonLinesSource implements RecordSource {
  private static final Pattern LIBRARY_TALK =
      Pattern.compile("(: enable `| \\(start marker| \\(bound as|: not allowed as per|, from `).*");

  private final String name;
  private final CountingInput input;
  private final long totalBytes;
  private final SourceOptions options;
  private final @Nullable JsonPointer key;
  private final @Nullable JsonPointer value;
  private final BufferedReader lines;
  private long lineNumber;

  JsonLinesSource(String name, CountingInput input, long totalBytes, SourceOptions options) {
    this.name = name;
    this.input = input;
    this.totalBytes = totalBytes;
    this.options = options;
    key = pointer(options.key());
    value = pointer(options.value());
    lines = new BufferedReader(new InputStreamReader(input, UTF_8.newDecoder()));
  }

  private static @Nullable JsonPointer pointer(@Nullable String field) {
    if (field == null) {
      return null;
    }
    return field.startsWith("/")
        ? JsonPointer.compile(field)
        : JsonPointer.empty().appendProperty(field);
  }

  @Override
  public @Nullable Incoming next() {
    String line = readLine();
    while (line != null && line.isBlank()) {
      line = readLine();
    }
    return line == null ? null : entry(line, new InputPlace(name, lineNumber));
  }

  private @Nullable String readLine() {
    lineNumber++;
    try {
      return lines.readLine();
    } catch (CharacterCodingException e) {
      throw new InputPlace(name, lineNumber).notUtf8(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Incoming entry(String line, InputPlace place) {
    JsonNode node = parse(line, place);
    String space = space(node, place);
    byte[] keyBytes =
        key == null ? dumped(node, "key", place) : utf8(scalar(node, key, place), place);
    return new Incoming.Whole(
        space, new Entry(place.requireKey(keyBytes), valueBytes(line, node, place)));
  }

  private static JsonNode parse(String line, InputPlace place) {
    try {
      return Json.MAPPER.readTree(line);
    } catch (JacksonException e) {
      throw place.error("not JSON on one line: " + problem(e), e);
    }
  }

  /// What the parser reports, without what a program that uses it may set.
  private static String problem(JacksonException e) {
    return LIBRARY_TALK.matcher(e.getOriginalMessage()).replaceFirst("");
  }

  private String space(JsonNode node, InputPlace place) {
    if (options.space() != null) {
      return options.space();
    }
    JsonNode space = node.get("space");
    if (key != null || space == null || !space.isString()) {
      throw place.error("no field 'space'; name the space by --space");
    }
    return new String(utf8(space.stringValue(), place), UTF_8);
  }

  private byte[] valueBytes(String line, JsonNode node, InputPlace place) {
    if (value != null) {
      JsonNode found = node.at(value);
      if (found.isMissingNode()) {
        throw place.error("no value at " + value);
      }
      return bytes(found, place);
    }
    return key == null ? dumped(node, "value", place) : line.strip().getBytes(UTF_8);
  }

  /// The bytes of a field as 'dump' writes it, in any encoding.
  private static byte[] dumped(JsonNode node, String name, InputPlace place) {
    for (ByteEncoding encoding : ByteEncoding.values()) {
      var field = new EncodedField(name, encoding);
      JsonNode found = node.get(field.fieldName());
      if (found != null && found.isString()) {
        return field.decode(found.stringValue(), place);
      } else if (found != null) {
        return bytes(found, place);
      }
    }
    requireNoArray(node, place);
    throw place.error("no field '" + name + "'; name it by --" + name);
  }

  private static String scalar(JsonNode node, JsonPointer pointer, InputPlace place) {
    JsonNode found = node.at(pointer);
    if (!found.isValueNode() || found.isNull()) {
      requireNoArray(node, place);
      throw place.error("no text or number at " + pointer);
    }
    return found.asString();
  }

  private static void requireNoArray(JsonNode node, InputPlace place) {
    if (node.isArray()) {
      throw place.error(
          "an array, which is one value; write each of its elements on a line, as jq -c '.[]' does");
    }
  }

  private static byte[] bytes(JsonNode node, InputPlace place) {
    return utf8(node.isString() ? node.stringValue() : node.toString(), place);
  }

  /// Refuses half of a character, which an escape of JSON can be. As a question mark it would make
  /// one key of different ones.
  private static byte[] utf8(String text, InputPlace place) {
    try {
      return ByteEncoding.TEXT.decode(text);
    } catch (IllegalArgumentException e) {
      throw place.error(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public long totalBytes() {
    return totalBytes;
  }

  @Override
  public long bytesRead() {
    return input.count();
  }

  @Override
  public void close() {
    try {
      lines.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
