package io.varve.test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// What the files of a [FaultyDisk] ask of it: each call may fail, and is counted.
interface FileCalls {
  int read(String name, FileImage image, long position, ByteBuffer destination) throws IOException;

  void write(String name, FileImage image, boolean synchronous, long position, ByteBuffer source)
      throws IOException;

  void force(String name, FileImage image) throws IOException;

  /// Forces a part of what is mapped.
  void forceMapped(String name, FileImage image, long position, long length) throws IOException;

  long size(FileImage image) throws IOException;

  void truncate(String name, FileImage image, long size) throws IOException;

  /// The memory of a part of a file.
  MemorySegment map(String name, FileImage image, long offset, long bytes) throws IOException;
}
