package io.varve.internal.tree;

import io.varve.internal.file.LargeValues;
import io.varve.internal.file.PageFile;
import io.varve.internal.page.LargeReference;
import io.varve.internal.page.LeafPage;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Arrays;

/// What a leaf holds as the value of a key: the bytes themselves, or a reference to a large value.
/// Two are equal when they are the same kind and bytes; a reference is never used for two values.
public record StoredValue(byte[] bytes, boolean large) {
  static StoredValue of(byte[] page, int index) {
    return new StoredValue(LeafPage.value(page, index), LeafPage.isLarge(page, index));
  }

  /// The value tag of a leaf's record.
  public int tag() {
    return large ? bytes.length | LeafPage.LARGE : bytes.length;
  }

  /// The length of the value, in bytes.
  public long length() {
    return large ? LargeReference.length(bytes) : bytes.length;
  }

  /// The value, read from its extents if it is large.
  public byte[] read(PageFile file) {
    return large ? LargeValues.read(file, bytes) : bytes;
  }

  /// The value as a stream.
  public InputStream open(PageFile file) {
    return large ? LargeValues.open(file, bytes) : new ByteArrayInputStream(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StoredValue that
        && large == that.large
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "StoredValue[bytes=" + bytes.length + ", large=" + large + "]";
  }
}
