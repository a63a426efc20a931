package io.varve.grid.guard.resp.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.commons.util.concurrent.CompletableFutures;
import org.infinispan.server.resp.Resp3Handler;
import org.jspecify.annotations.Nullable;

/// A word after `BY` or `GET` of `SORT`: `#` for the element; or the key of a string, in which the
/// element takes the place of the first `*`; or such a key of a hash, `->` and a field.
///
/// Bytes of any kind may be part of all of them: each is one letter of a text here.
///
/// @param text the word, without the field
/// @param field of a hash; null for a string
record SortPattern(String text, byte @Nullable [] field) {
  private static final String ARROW = "->";
  private static final String ELEMENT = "#";

  /// Reads a word. Without a `*` it has no field, and there is nothing that it names.
  static SortPattern of(byte[] word) {
    String text = new String(word, ISO_8859_1);
    int star = text.indexOf('*');
    int arrow = star < 0 ? -1 : text.indexOf(ARROW, star + 1);
    return arrow < 0 || arrow + ARROW.length() == text.length()
        ? new SortPattern(text, null)
        : new SortPattern(
            text.substring(0, arrow), text.substring(arrow + ARROW.length()).getBytes(ISO_8859_1));
  }

  /// Whether elements name keys by it.
  boolean namesKeys() {
    return text.indexOf('*') >= 0;
  }

  private byte[] key(byte[] element) {
    int star = text.indexOf('*');
    return (text.substring(0, star) + new String(element, ISO_8859_1) + text.substring(star + 1))
        .getBytes(ISO_8859_1);
  }

  /// What it names for an element, null if there is nothing of that type.
  CompletionStage<byte @Nullable []> read(Resp3Handler handler, byte[] element) {
    if (text.equals(ELEMENT)) {
      return CompletableFuture.completedFuture(element);
    }
    if (!namesKeys()) {
      return CompletableFutures.completedNull();
    }
    byte[] key = key(element);
    if (field != null) {
      return ofItsType(handler.getHashMapMultimap().get(key, field));
    }
    return EachType.of(handler)
        .getAsync(key)
        .thenApply(value -> value instanceof byte[] bytes ? bytes : null);
  }

  private static CompletionStage<byte @Nullable []> ofItsType(CompletionStage<byte[]> read) {
    return read.handle((value, failure) -> {
      if (failure == null) {
        return value;
      }
      Throwable cause = CompletableFutures.extractException(failure);
      if (cause instanceof ClassCastException) {
        return null;
      }
      throw CompletableFutures.asCompletionException(cause);
    });
  }
}
