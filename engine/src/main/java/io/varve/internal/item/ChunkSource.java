package io.varve.internal.item;

import io.varve.item.Item;
import io.varve.item.ItemCursor;
import io.varve.item.ItemSpace;
import java.lang.reflect.Array;
import java.util.Objects;

/// The chunks of a long binary or text, one after the other, as what reads them takes them. For one
/// thread at a time.
///
/// @param <A> an array of bytes or of chars
final class ChunkSource<A> {
  private final ItemCursor chunks;
  private final int chunkComponent;
  private final ChunkCopy<A> copy;
  private A chunk;
  private int chunkLength;
  private int position;
  private int length;
  private boolean ended;

  /// Copies the component of an item that is its chunk.
  ///
  /// @param <A> an array of bytes or of chars
  @FunctionalInterface
  interface ChunkCopy<A> {
    /// Copies as much as the array takes.
    ///
    /// @return the length of the whole chunk
    int copy(ItemCursor item, int component, A target);
  }

  /// @param chunks items under `prefix`
  /// @param empty an array of the type of chunks
  ChunkSource(ItemCursor chunks, Item prefix, A empty, ChunkCopy<A> copy) {
    this.chunks = chunks;
    this.chunkComponent = prefix.size() + 1;
    this.copy = copy;
    this.chunk = arrayLike(empty, ItemSpace.CHUNK_LENGTH);
    this.chunkLength = ItemSpace.CHUNK_LENGTH;
  }

  @SuppressWarnings("unchecked") // an array of the same type
  private static <A> A arrayLike(A array, int length) {
    Class<?> elements = Objects.requireNonNull(array.getClass().getComponentType());
    return (A) Array.newInstance(elements, length);
  }

  /// Whether there is more, which [#chunk] then has.
  boolean hasMore() {
    while (position == length && !ended) {
      ended = !chunks.next();
      if (!ended) {
        position = 0;
        length = copy.copy(chunks, chunkComponent, chunk);
        if (length > chunkLength) {
          chunk = arrayLike(chunk, length); // of another program's making
          chunkLength = length;
          length = copy.copy(chunks, chunkComponent, chunk);
        }
      }
    }
    return position < length;
  }

  /// The current chunk.
  A chunk() {
    return chunk;
  }

  /// Takes one element.
  ///
  /// @return where it is in the current chunk
  int take() {
    return position++;
  }

  /// Takes as many elements as the current chunk has, or as are asked for.
  ///
  /// @param target of `targetLength`
  /// @return their number; -1 if there are no more
  int take(A target, int targetLength, int offset, int count) {
    Objects.checkFromIndexSize(offset, count, targetLength);
    if (count == 0) {
      return 0;
    }
    if (!hasMore()) {
      return -1;
    }
    int taken = Math.min(count, length - position);
    System.arraycopy(chunk, position, target, offset, taken);
    position += taken;
    return taken;
  }

  /// Gives nothing more.
  void end() {
    ended = true;
    position = length;
  }
}
