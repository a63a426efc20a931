package io.varve.spi;

import io.varve.Commit;
import io.varve.Space;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Calls of a space that wait for nothing, for threads that must not: those of an event loop. Each
/// does what its namesake does, or reports that it would have to wait, which has no effect; then
/// another thread makes the call that waits. All other programs need [Space] alone.
///
/// A call would have to wait where a page is not in memory, or where another thread is changing
/// what it needs. So it would where the log or the cache has no capacity. It would also for values
/// longer than a quarter of a page, which are outside of the tree.
///
/// - **Durability:** changes have that of the space that this was made of, [Space#with].
/// - **Threads, refusals, arrays:** as of [Space].
///
/// @since 1.0
public interface NonBlockingSpace {
  /// The calls of `space` that wait for nothing. Costs nothing to make, and may be kept.
  ///
  /// @throws IllegalArgumentException if no store of Varve made `space`
  static NonBlockingSpace of(Space space) {
    if (space instanceof NonBlockingSpace calls) {
      return calls;
    }
    throw new IllegalArgumentException(
        "the space has no calls that wait for nothing: space="
            + space.name()
            + "; give the space that the store returned");
  }

  /// Reads `key` as [Space#get(byte[])] does, unless that would have to wait. It does not wait
  /// where the pages that lead to the value are in memory, and the value is in one of them.
  ///
  /// @param found takes the value, or null when the key is absent, before this returns
  /// @return false if it would have to wait; then `found` was not called
  boolean tryGet(byte[] key, Consumer<byte @Nullable []> found);

  /// Sets the value of `key` as [io.varve.AsyncSpace#put] does, unless to apply it would have to
  /// wait. A value that is longer than a quarter of a page always does.
  ///
  /// @return null if it would have to wait; then nothing was changed
  @Nullable CompletionStage<Commit> tryPut(byte[] key, byte[] value);

  /// Removes `key` as [io.varve.AsyncSpace#delete] does, unless to apply it would have to wait.
  ///
  /// @return null if it would have to wait; then nothing was changed
  @Nullable CompletionStage<Commit> tryDelete(byte[] key);
}
