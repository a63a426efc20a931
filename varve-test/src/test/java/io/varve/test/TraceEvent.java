package io.varve.test;

/// One record of a [SystemCallTrace]: a system call of a process, its end, or a line that it
/// printed.
///
/// @param call the number of the call, shared by its start and its end; 0 for calls of one record
/// @param first as the kind defines it
/// @param second as the kind defines it
/// @param inode the file, 0 for none
/// @param bytes as the kind defines it
record TraceEvent(Kind kind, long call, long first, long second, long inode, byte[] bytes) {
  /// What happened. The letters are those of `trace.c`, which states what the fields mean.
  enum Kind {
    OPEN('o'),
    WRITE('w'),
    FORCE('f'),
    TRUNCATE('t'),
    FORCE_MAPPED('m'),
    LOOK_AT_MAPPED('s'),
    FORCE_DIRECTORY('d'),
    END('e'),
    RENAME('r'),
    UNLINK('u'),
    MAKE_DIRECTORY('k'),
    LINE('l'),
    UNKNOWN_CALL('!');

    private final char letter;

    Kind(char letter) {
      this.letter = letter;
    }

    static Kind of(int letter) {
      for (Kind kind : values()) {
        if (kind.letter == letter) {
          return kind;
        }
      }
      throw new AssertionError("unknown record in a trace: type=" + letter);
    }
  }
}
