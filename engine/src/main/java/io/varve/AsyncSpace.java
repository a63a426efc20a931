package io.varve;

import java.util.concurrent.CompletionStage;

/// Changes of a space whose calls do not wait until they are durable: made by [Space#async()]. A
/// call may wait for a page that is not in memory, for another writer, and for capacity. It writes
/// a value that is too long for the log. For threads that must not wait at all there is
/// [io.varve.spi.NonBlockingSpace].
///
/// - **Visibility:** a change is applied, and visible to all, when its call returns.
/// - **Durability:** the stage gives the commit when the promise of the space's durability holds:
///   that of the store, or of [Space#with(Durability)]. If it cannot hold any more, the stage ends
///   with a [StoreFailedException] or [StoreClosedException]. Stages complete on a thread of the
///   store, or where [StoreOptions#completionExecutor()] says: run nothing long on it.
/// - **Threads, refusals, arrays:** as of [Space].
///
/// @since 1.0
public interface AsyncSpace {
  /// The space that is changed, with the same durability, to be waited for.
  Space space();

  /// Sets the value of `key`, whatever it was.
  CompletionStage<Commit> put(byte[] key, byte[] value);

  /// Removes `key`, present or not.
  CompletionStage<Commit> delete(byte[] key);
}
