package io.varve;

import java.io.InputStream;
import java.util.concurrent.CompletionStage;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/// Changes of a space whose calls do not wait until they are durable: made by [Space#async()]. A
/// call may wait for a page that is not in memory, for another writer, and for capacity. It writes
/// a value that is too long for the log. For threads that must not wait at all there is
/// [io.varve.spi.NonBlockingSpace].
///
/// - **Meaning:** each change does what that of [Space] with the same name does, and its stage
///   gives the commit: alone, or with the value as [Written]. A change that changed nothing has no
///   commit, and its stage is complete.
/// - **Visibility:** a change is applied, and visible to all, when its call returns.
/// - **Durability:** the stage completes when the promise of the space's durability holds: that of
///   the store, or of [Space#with(Durability)]. If it cannot hold any more, the stage ends with a
///   [StoreFailedException] or [StoreClosedException]. Stages complete on a thread of the store, or
///   on [StoreOptions#completionExecutor()]: run nothing long on it.
/// - **Threads, refusals, arrays:** as of [Space].
///
/// @since 1.0
public interface AsyncSpace {
  /// The space that is changed, with the same durability, to be waited for.
  Space space();

  /// Sets the value of `key`, whatever it was.
  CompletionStage<Commit> put(byte[] key, byte[] value);

  /// Sets the value of `key` from a stream of known length, which is read before the call returns.
  ///
  /// @param length the number of bytes to read from `value`, 0 to [Space#VALUE_BYTES_MAX]
  /// @throws java.io.UncheckedIOException if the stream fails or ends early; nothing was changed
  CompletionStage<Commit> put(byte[] key, InputStream value, long length);

  /// Removes `key`, present or not.
  CompletionStage<Commit> delete(byte[] key);

  /// Sets the value of `key` and gives the one it replaces, or null.
  CompletionStage<Written<byte @Nullable []>> getAndPut(byte[] key, byte[] value);

  /// Sets the value of `key` unless it has one; gives null if it was set, otherwise the value that
  /// is there.
  CompletionStage<Written<byte @Nullable []>> putIfAbsent(byte[] key, byte[] value);

  /// Replaces the value of `key` if it equals `expected`, and gives whether it did.
  ///
  /// @param expected the value that must be there, or null for an absent key
  /// @param update the value to set, or null to delete
  CompletionStage<Written<Boolean>> compareAndSet(
      byte[] key, byte @Nullable [] expected, byte @Nullable [] update);

  /// Removes `key` and gives the value it had, or null.
  CompletionStage<Written<byte @Nullable []>> getAndDelete(byte[] key);

  /// Sets `value` if `key` is absent, otherwise the result of `remapping`, as [Space#merge] does;
  /// gives the new value, or null if the key was deleted. The function runs before the call
  /// returns.
  CompletionStage<Written<byte @Nullable []>> merge(
      byte[] key, byte[] value, BinaryOperator<byte @Nullable []> remapping);

  /// Removes every key of `range`, in one commit, and gives their number.
  CompletionStage<Written<Long>> deleteRange(Range range);

  /// Removes every key, in one commit, as [Space#clear()] does, and gives their number.
  default CompletionStage<Written<Long>> clear() {
    return deleteRange(Range.all());
  }
}
