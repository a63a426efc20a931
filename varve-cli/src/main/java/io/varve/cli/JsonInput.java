package io.varve.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.cli.console.CommandException;
import io.varve.cli.console.Stdio;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The JSON that a command takes: of the command line, or of standard input.
final class JsonInput {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  @Option(
      names = {"-v", "--value"},
      paramLabel = "JSON",
      description = "The JSON. Without it, standard input is read.")
  @Nullable String value;

  /// @throws CommandException if it is no JSON of UTF-8, has a name twice, or is empty
  JsonNode read(Stdio stdio) {
    JsonNode json;
    try {
      json = MAPPER.readTree(value == null ? text(stdio.in().readAllBytes()) : value);
    } catch (JacksonException e) {
      throw CommandException.usage("the value is no JSON: " + e.getOriginalMessage(), e);
    } catch (CharacterCodingException e) {
      throw CommandException.usage("the value is no JSON: it is not UTF-8", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (json.isMissingNode()) {
      throw CommandException.usage("the value is empty; null is the item of the prefix alone");
    }
    return json;
  }

  /// A decoder that reports: the replacement character would silently change what is stored.
  private static String text(byte[] utf8) throws CharacterCodingException {
    return UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
  }
}
