package io.varve.query.internal.access;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.function.Consumer;

/// An index of objects that a map or a cache has, as the engine keeps it: by the prefixes that were
/// written when the object was there.
///
/// @param form what the entries are made of
/// @param id of the definition
/// @param digest of the id
public record ShadowIndex(IndexForm form, String id, long digest) implements KeptIndex {
  /// An index of objects, which is defined as one of rows is.
  public static ShadowIndex of(RowIndex index) {
    String id = "of objects, " + index.id();
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
      return new ShadowIndex(index.form(), id, ByteBuffer.wrap(digest).getLong());
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("every JDK has SHA-256", impossible);
    }
  }

  @Override
  public void prefixes(byte[] key, byte[] value, Consumer<byte[]> prefixes) {
    ShadowRow.read(value, digest, prefixes);
  }
}
