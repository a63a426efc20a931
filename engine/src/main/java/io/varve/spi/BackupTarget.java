package io.varve.spi;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A target of backups that is not a directory: an object store, for example. Given to
/// [io.varve.admin.Backups#at(BackupTarget)].
///
/// It holds named objects, which are written once, from the first byte to the last, and are whole
/// or absent. Names are ASCII, with `/` between the parts: `00000000000000000012.vbk` is a point,
/// `log/….log` a piece of archived log. Objects are the files that a directory of backups has. So
/// the objects of a target, copied to a directory by their names, can be restored from there.
///
/// - **Durability:** [NewObject#finish] and [#delete] return when what they did survives a loss of
///   power, and is what each later call sees, of any process.
/// - **Threads:** one backup, restore or prune calls it from one thread, several may run
///   concurrently.
/// - **Errors:** an [IOException] ends the backup or restore, and is the cause of what the caller
///   of that gets. No call is made again.
/// - **Cost:** reads are of up to 1 MiB, mostly one after the other. An object is as long as what a
///   backup copies, which may be as long as the store.
///
/// @since 1.0
public interface BackupTarget {
  /// The names of the objects in a directory, without those in directories below it.
  ///
  /// @param directory `""`, or what comes before the last `/` of names
  /// @return the last parts of the names, in any order; none if no object is there
  List<String> list(String directory) throws IOException;

  /// The length of an object in bytes, or -1 if there is none of that name.
  long size(String name) throws IOException;

  /// Reads a range of an object that is there.
  ///
  /// @param position of the first byte to read, in the object
  /// @param target is filled, or up to the object's end
  /// @return the bytes read: 0 at the object's end or after it
  int read(String name, long position, ByteBuffer target) throws IOException;

  /// Begins an object. Until it is finished, an object of that name is what it was, or absent.
  NewObject create(String name) throws IOException;

  /// Deletes an object; nothing happens if there is none.
  void delete(String name) throws IOException;

  /// Keeps all others from writing here until what this returns is closed, or the process has
  /// ended. What is left of objects that were begun before, and never finished, can be cleared away
  /// then. Reads need no hold.
  ///
  /// @return null if another thread or process holds it
  @Nullable Closeable tryHold() throws IOException;

  /// Where an object is, or the target itself, for messages.
  ///
  /// @param name of an object or directory; `""` for the target
  String describe(String name);

  /// Makes sure that an object that is there survives a loss of power, since others than this may
  /// have put it there. Does nothing unless it is overridden.
  default void force(String name) throws IOException {}

  /// An object that is being written. For one thread.
  interface NewObject extends Closeable {
    /// Appends all that remains in `bytes`.
    void write(ByteBuffer bytes) throws IOException;

    /// Makes the object whole, under its name, in place of the one that was there.
    void finish() throws IOException;

    /// Ends the writing. An object that is not finished is never there.
    @Override
    void close() throws IOException;
  }
}
