package io.varve.infinispan.mapreduce;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.cache.mapreduce.MapFigures;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import org.infinispan.commons.util.IntSet;
import org.infinispan.commons.util.IntSets;
import org.jspecify.annotations.Nullable;

/// What a node answers, as bytes: a byte that shows which of these it is, and its parts in their
/// order, with numbers big-endian and texts by their length.
sealed interface Reply {
  /// A part runs, or has mapped.
  ///
  /// @param lost segments that it has not mapped, since others own them; final when it has mapped
  record Running(boolean isMapped, IntSet lost, MapFigures figures) implements Reply {}

  /// A page of a part; null after the last.
  record Page(byte @Nullable [] bytes) implements Reply {}

  /// What was asked for is not done. It continues; ask again.
  record UnderWay() implements Reply {}

  /// The node does not run the cache, or not for long.
  record Leaving() implements Reply {}

  /// The part has failed, and reports how.
  record Failed(String stackTrace) implements Reply {}

  /// The part has ended.
  record Closed() implements Reply {}

  private static void write(DataOutputStream out, MapFigures figures) throws IOException {
    out.writeLong(figures.entries());
    out.writeLong(figures.entriesTotal());
    out.writeLong(figures.bytes());
    out.writeLong(figures.emitted());
    out.writeLong(figures.combined());
    out.writeLong(figures.tableBytesMax());
    out.writeLong(figures.spills());
    out.writeLong(figures.spilledPairs());
    out.writeLong(figures.spilledBytes());
    out.writeLong(figures.spillTime().toNanos());
  }

  private static MapFigures figures(DataInputStream in) throws IOException {
    return new MapFigures(
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        Duration.ofNanos(in.readLong()));
  }

  default byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      switch (this) {
        case Running(boolean isMapped, IntSet lost, MapFigures figures) -> {
          out.writeByte(0);
          out.writeBoolean(isMapped);
          write(out, figures);
          out.write(lost.toBitSet());
        }
        case Page(byte @Nullable [] page) -> {
          out.writeByte(1);
          out.write(page == null ? new byte[0] : page); // no page is empty
        }
        case Leaving() -> out.writeByte(2);
        case Failed(String stackTrace) -> {
          out.writeByte(3);
          out.write(stackTrace.getBytes(UTF_8));
        }
        case Closed() -> out.writeByte(4);
        case UnderWay() -> out.writeByte(5);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("memory has no errors of its own", e);
    }
    return bytes.toByteArray();
  }

  static Reply of(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int kind = in.readByte();
      return switch (kind) {
        case 0 -> {
          boolean isMapped = in.readBoolean();
          MapFigures figures = figures(in);
          yield new Running(isMapped, IntSets.from(in.readAllBytes()), figures);
        }
        case 1 -> new Page(bytes.length == 1 ? null : Arrays.copyOfRange(bytes, 1, bytes.length));
        case 2 -> new Leaving();
        case 3 -> new Failed(new String(in.readAllBytes(), UTF_8));
        case 4 -> new Closed();
        case 5 -> new UnderWay();
        default -> throw new IOException("unknown reply: kind=" + kind + "; run one version");
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }
}
