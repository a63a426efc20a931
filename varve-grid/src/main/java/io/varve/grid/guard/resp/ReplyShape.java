package io.varve.grid.guard.resp;

import io.varve.grid.guard.resp.command.BlockingMove;
import io.varve.grid.guard.resp.command.ExpiryTime;
import io.varve.grid.guard.resp.command.SET;
import java.util.List;
import org.infinispan.server.resp.RespCommand;

/// How the reply to a command differs between versions 2 and 3 of RESP. The types of its elements
/// are not part of it: [RespReplies] translates them one by one.
enum ReplyShape {
  /// By its types alone.
  SAME,
  /// Version 3 has an array of pairs, version 2 the elements of all pairs in one array.
  PAIRS,
  /// Nothing is a null array in version 2, where other replies have a null string.
  LIST,
  /// One element or null, for which Infinispan writes an array of one or none.
  ONE,
  /// Version 3 has a set, for which Infinispan writes an array if it has no element.
  SET,
  /// A word, which Infinispan writes as any string.
  WORD,
  /// What a connection is, by `HELLO`.
  GREETING,
  /// Scores of a sorted set, alone or in an array.
  SCORES,
  /// The replies of a transaction, each with a shape of its own.
  TRANSACTION;

  private static final int OPTIONS_MAX = 4; // of ZADD
  private static final int COUNT_ARGUMENTS = 2; // a key, and how many elements

  /// The shape of the reply to a command alone.
  static ReplyShape of(RespCommand command, List<byte[]> arguments) {
    return switch (command.getName()) {
      case "ZRANGE",
          "ZREVRANGE",
          "ZRANGEBYSCORE",
          "ZREVRANGEBYSCORE",
          "ZDIFF",
          "ZINTER",
          "ZUNION",
          "ZRANDMEMBER",
          "ZPOPMIN",
          "ZPOPMAX",
          "HRANDFIELD" ->
          PAIRS;
      case "BLPOP", "BRPOP", "BLMPOP", "LMPOP", "ZMPOP" -> LIST;
      case "BZPOPMIN", "BZPOPMAX", "BZMPOP" -> LIST;
      case "BLMOVE", "BRPOPLPUSH" -> LIST; // where their time has ended
      case "ZSCORE", "ZMSCORE", "ZINCRBY" -> SCORES;
      case "ZADD" -> hasIncrement(arguments) ? SCORES : SAME;
      case "LPOP", "RPOP" -> arguments.size() == COUNT_ARGUMENTS ? LIST : SAME;
      case "ZRANK", "ZREVRANK" -> arguments.size() > COUNT_ARGUMENTS ? LIST : SAME;
      case "PING" -> arguments.isEmpty() ? WORD : SAME;
      case "RESET" -> WORD;
      case "SPOP" -> arguments.size() < COUNT_ARGUMENTS ? ONE : SET;
      case "SRANDMEMBER" -> arguments.size() < COUNT_ARGUMENTS ? ONE : SAME;
      case "HELLO" -> GREETING;
      case "EXEC" -> TRANSACTION;
      default -> SAME;
    };
  }

  /// The shape of the reply to a command in a transaction, where it does not wait.
  ///
  /// @param alone that of the command alone
  static ReplyShape inTransaction(RespCommand command, ReplyShape alone) {
    return command instanceof BlockingMove ? SAME : alone;
  }

  /// Whether `ZADD` answers the score that it has added to.
  private static boolean hasIncrement(List<byte[]> arguments) {
    return arguments.stream()
        .skip(1) // the key
        .limit(OPTIONS_MAX)
        .anyMatch(word -> ExpiryTime.option(word).equals("INCR"));
  }
}
