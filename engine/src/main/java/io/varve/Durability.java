package io.varve;

/// What a commit that has returned survives. Named for the worst event it outlives.
///
/// Whatever the durability of each, commits are atomic, and what survives a crash is a prefix of
/// the commit order over all spaces. So a weak commit becomes as durable as any stronger commit
/// that follows it, and [Store#awaitDurable(Commit)] turns a weak one into a strong one.
///
/// @since 1.0
public enum Durability {
  /// Loss of power: the log up to the commit was forced to stable storage before it returned.
  /// Commits that wait at the same time share one force.
  POWER_LOSS,

  /// Death of the process, by any signal: the log up to the commit is in memory that the operating
  /// system owns and writes back. After a loss of power, about the last
  /// [LogOptions#flushInterval()] may be missing.
  PROCESS_CRASH,

  /// A clean close. After death of the process, a commit may be missing that returned while another
  /// thread was still writing its own, earlier one: as a rule those of the last microseconds. After
  /// a loss of power, about the last [LogOptions#flushInterval()] may be missing.
  BACKGROUND,

  /// Nothing: there is no log. Of a store made by [Store#inMemory()] only; a durable store refuses
  /// it, since a commit that no log holds would break the order in which commits survive.
  NONE
}
