package io.varve.cache.internal.mapreduce;

import io.varve.cache.mapreduce.Pages;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The records in pages that a [PageWriter] has made.
public final class PageRecords implements Records {
  private final Pages pages;
  private ByteBuffer left = ByteBuffer.allocate(0);
  private byte[] key = {};
  private byte[] value = {};

  public PageRecords(Pages pages) {
    this.pages = pages;
  }

  @Override
  public boolean next() {
    if (!left.hasRemaining()) {
      byte @Nullable [] page = pages.next();
      if (page == null) {
        return false;
      }
      left = ByteBuffer.wrap(page);
    }
    key = new byte[left.getInt()];
    value = new byte[left.getInt()];
    left.get(key).get(value);
    return true;
  }

  @Override
  public byte[] key() {
    return key;
  }

  @Override
  public byte[] value() {
    return value;
  }

  /// Does nothing: the code that gave the pages knows their end.
  @Override
  public void close() {}
}
