package io.varve.internal.checkpoint;

import io.varve.internal.file.SpaceDefinition;
import io.varve.internal.txn.SpaceCore;
import io.varve.internal.txn.SpaceRegistry;
import io.varve.internal.wal.CheckpointLog;
import io.varve.internal.wal.format.LogPosition;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a checkpoint or spill starts from: the log and the spaces when its epoch closed, which is
/// what commits are shut out for.
///
/// For one thread, and then for the holders of the checkpoint lock.
final class CheckpointStart {
  private @Nullable LogPosition position;
  private List<SpaceCore> spaces = List.of();

  /// What is known of `spaces`, by their indexes. Later commits may change it.
  private List<SpaceDefinition> definitions = List.of();

  private List<SpaceCore> dropped = List.of();
  private int nextSpaceId;

  /// Captures the log and the spaces. Commits are shut out.
  void capture(CheckpointLog log, SpaceRegistry present) {
    position = log.position();
    spaces = present.all();
    definitions = spaces.stream().map(SpaceCore::definition).toList();
    dropped = present.dropped().all();
    nextSpaceId = present.nextId();
  }

  LogPosition position() {
    LogPosition taken = position;
    if (taken == null) {
      throw new IllegalStateException("no position was taken");
    }
    return taken;
  }

  List<SpaceCore> spaces() {
    return spaces;
  }

  SpaceDefinition definition(int index) {
    return definitions.get(index);
  }

  /// Those that were dropped, and are not removed yet.
  List<SpaceCore> dropped() {
    return dropped;
  }

  int nextSpaceId() {
    return nextSpaceId;
  }

  /// The spaces and then those that were dropped.
  List<SpaceCore> trees() {
    return Stream.concat(spaces.stream(), dropped.stream()).toList();
  }
}
