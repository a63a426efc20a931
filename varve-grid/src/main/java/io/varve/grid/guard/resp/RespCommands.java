package io.varve.grid.guard.resp;

import io.varve.grid.guard.connection.Limits;
import io.varve.grid.guard.resp.command.APPEND;
import io.varve.grid.guard.resp.command.AUTH;
import io.varve.grid.guard.resp.command.BlockingMove;
import io.varve.grid.guard.resp.command.BlockingPop;
import io.varve.grid.guard.resp.command.BlockingSortedPop;
import io.varve.grid.guard.resp.command.BoundedCommand;
import io.varve.grid.guard.resp.command.BoundedReply;
import io.varve.grid.guard.resp.command.CONFIG;
import io.varve.grid.guard.resp.command.COPY;
import io.varve.grid.guard.resp.command.CountedKeysCommand;
import io.varve.grid.guard.resp.command.DECR;
import io.varve.grid.guard.resp.command.DECRBY;
import io.varve.grid.guard.resp.command.EXEC;
import io.varve.grid.guard.resp.command.EXISTS;
import io.varve.grid.guard.resp.command.EXPIRE;
import io.varve.grid.guard.resp.command.EXPIREAT;
import io.varve.grid.guard.resp.command.EXPIRETIME;
import io.varve.grid.guard.resp.command.FLUSHALL;
import io.varve.grid.guard.resp.command.FLUSHDB;
import io.varve.grid.guard.resp.command.GETEX;
import io.varve.grid.guard.resp.command.HELLO;
import io.varve.grid.guard.resp.command.HINCRBY;
import io.varve.grid.guard.resp.command.INCR;
import io.varve.grid.guard.resp.command.INCRBY;
import io.varve.grid.guard.resp.command.INCRBYFLOAT;
import io.varve.grid.guard.resp.command.IterationCommand;
import io.varve.grid.guard.resp.command.LMOVE;
import io.varve.grid.guard.resp.command.LMPOP;
import io.varve.grid.guard.resp.command.MEMORY;
import io.varve.grid.guard.resp.command.MULTI;
import io.varve.grid.guard.resp.command.ManyKeysCommand;
import io.varve.grid.guard.resp.command.NodeQuestion;
import io.varve.grid.guard.resp.command.NumbersCommand;
import io.varve.grid.guard.resp.command.PERSIST;
import io.varve.grid.guard.resp.command.PEXPIRE;
import io.varve.grid.guard.resp.command.PEXPIREAT;
import io.varve.grid.guard.resp.command.PEXPIRETIME;
import io.varve.grid.guard.resp.command.PSETEX;
import io.varve.grid.guard.resp.command.PSUBSCRIBE;
import io.varve.grid.guard.resp.command.PUBLISH;
import io.varve.grid.guard.resp.command.PUBSUB;
import io.varve.grid.guard.resp.command.PUNSUBSCRIBE;
import io.varve.grid.guard.resp.command.RANDOMKEY;
import io.varve.grid.guard.resp.command.RENAME;
import io.varve.grid.guard.resp.command.RENAMENX;
import io.varve.grid.guard.resp.command.RPOPLPUSH;
import io.varve.grid.guard.resp.command.RemovingCommand;
import io.varve.grid.guard.resp.command.SELECT;
import io.varve.grid.guard.resp.command.SET;
import io.varve.grid.guard.resp.command.SETEX;
import io.varve.grid.guard.resp.command.SETNX;
import io.varve.grid.guard.resp.command.SETRANGE;
import io.varve.grid.guard.resp.command.SMOVE;
import io.varve.grid.guard.resp.command.SUBSCRIBE;
import io.varve.grid.guard.resp.command.ScoreRangeCommand;
import io.varve.grid.guard.resp.command.ServingCommand;
import io.varve.grid.guard.resp.command.SetsCommand;
import io.varve.grid.guard.resp.command.SortCommand;
import io.varve.grid.guard.resp.command.SortedSetsCommand;
import io.varve.grid.guard.resp.command.TTL;
import io.varve.grid.guard.resp.command.TakingCommand;
import io.varve.grid.guard.resp.command.UNLINK;
import io.varve.grid.guard.resp.command.UNSUBSCRIBE;
import io.varve.grid.guard.resp.command.WATCH;
import io.varve.grid.guard.resp.command.ZMPOP;
import io.varve.grid.guard.resp.command.ZRANDMEMBER;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.commands.Commands;

/// The commands of RESP that a process offers.
public final class RespCommands {
  /// Scripts run in a Lua that Infinispan lets reach classes of Java, files and processes, and that
  /// nothing can stop.
  private static final Set<String> SCRIPTS =
      Set.of("EVAL", "EVAL_RO", "EVALSHA", "EVALSHA_RO", "SCRIPT");

  /// There are no modules: documents of JSON have no marshaller in a cache of bytes, so that each
  /// of their commands fails, and queries have no index.
  private static final Set<String> MODULES = Set.of("MODULE", "FT._LIST");

  private static final String JSON = "JSON.";

  private RespCommands() {}

  /// Whether a word is the name of a command, in letters of either case.
  public static boolean isOffered(String word) {
    String name = word.toUpperCase(Locale.ROOT);
    return Commands.all().stream().anyMatch(command -> command.getName().equals(name));
  }

  /// Takes the commands that cannot work, or are not to, out of the table of all. They are then
  /// unknown, to clients, to transactions and to `COMMAND`. Adds those that Infinispan lacks. Some
  /// of ours replace those of Infinispan that have their name. Commands that add to an entry, and
  /// those of a transaction, are bounded by what the last node of the process takes.
  public static void withhold(long valueBytesMax) {
    RespCommand[][] byLetter = Commands.ALL_COMMANDS;
    List<RespCommand> added = added(valueBytesMax);
    Set<String> names = added.stream().map(RespCommand::getName).collect(Collectors.toSet());
    for (int at = 0; at < byLetter.length; at++) {
      char letter = (char) ('A' + at);
      if (byLetter[at] != null) {
        byLetter[at] =
            Stream.concat(
                    Arrays.stream(byLetter[at])
                        .filter(command -> !names.contains(command.getName())),
                    added.stream().filter(command -> command.getName().charAt(0) == letter))
                .filter(command -> !isWithheld(command.getName()))
                .map(NumbersCommand::replacedBy)
                .map(ServingCommand::replacedBy)
                .map(command -> ours(command, valueBytesMax))
                .map(BlockingPop::of)
                .map(IterationCommand::of)
                .map(RemovingCommand::of)
                .map(TakingCommand::of)
                .map(SetsCommand::of)
                .map(SortCommand::of)
                .map(SortedSetsCommand::of)
                .map(command -> BoundedReply.of(command, Limits.replyBytesMax(valueBytesMax)))
                .map(CountedKeysCommand::of)
                .map(ManyKeysCommand::of)
                .map(NodeQuestion::of)
                .map(ScoreRangeCommand::of)
                .map(command -> BoundedCommand.of(command, valueBytesMax))
                .map(ServingCommand::of)
                .map(NumbersCommand::of)
                .toArray(RespCommand[]::new);
      }
    }
  }

  /// Those of Redis that Infinispan does not have. The table has others of their letters.
  private static List<RespCommand> added(long valueBytesMax) {
    List<RespCommand> added = new ArrayList<>(BlockingMove.all(valueBytesMax));
    added.addAll(BlockingSortedPop.all());
    added.add(new COPY());
    added.add(new UNLINK());
    return added;
  }

  private static RespCommand ours(RespCommand command, long valueBytesMax) {
    return switch (command.getName()) {
      case "APPEND" -> new APPEND();
      case "AUTH" -> new AUTH();
      case "CLIENT" -> new CLIENT();
      case "COMMAND" -> new COMMAND();
      case "CONFIG" -> new CONFIG(valueBytesMax);
      case "DECR" -> new DECR();
      case "DECRBY" -> new DECRBY();
      case "EXEC" -> new EXEC();
      case "EXISTS" -> new EXISTS();
      case "EXPIRE" -> new EXPIRE();
      case "EXPIREAT" -> new EXPIREAT();
      case "EXPIRETIME" -> new EXPIRETIME();
      case "FLUSHALL" -> new FLUSHALL();
      case "FLUSHDB" -> new FLUSHDB();
      case "GETEX" -> new GETEX();
      case "HELLO" -> new HELLO();
      case "HINCRBY" -> new HINCRBY();
      case "INCR" -> new INCR();
      case "INCRBY" -> new INCRBY();
      case "INCRBYFLOAT" -> new INCRBYFLOAT();
      case "INFO" -> new INFO();
      case "LMOVE" -> new LMOVE();
      case "LMPOP" -> new LMPOP();
      case "MEMORY" -> new MEMORY();
      case "MULTI" -> new MULTI(valueBytesMax);
      case "PERSIST" -> new PERSIST();
      case "PEXPIRE" -> new PEXPIRE();
      case "PEXPIREAT" -> new PEXPIREAT();
      case "PEXPIRETIME" -> new PEXPIRETIME();
      case "PING" -> new PING();
      case "PSETEX" -> new PSETEX();
      case "PSUBSCRIBE" -> new PSUBSCRIBE();
      case "PUBLISH" -> new PUBLISH();
      case "PUBSUB" -> new PUBSUB();
      case "PUNSUBSCRIBE" -> new PUNSUBSCRIBE();
      case "RANDOMKEY" -> new RANDOMKEY();
      case "RENAME" -> new RENAME();
      case "RENAMENX" -> new RENAMENX();
      case "RPOPLPUSH" -> new RPOPLPUSH();
      case "SELECT" -> new SELECT();
      case "SET" -> new SET();
      case "SETEX" -> new SETEX();
      case "SETNX" -> new SETNX();
      case "SETRANGE" -> new SETRANGE();
      case "SMOVE" -> new SMOVE();
      case "SUBSCRIBE" -> new SUBSCRIBE();
      case "TTL" -> new TTL();
      case "UNSUBSCRIBE" -> new UNSUBSCRIBE();
      case "WATCH" -> new WATCH();
      case "ZMPOP" -> new ZMPOP();
      case "ZRANDMEMBER" -> new ZRANDMEMBER();
      default -> command;
    };
  }

  private static boolean isWithheld(String name) {
    return SCRIPTS.contains(name) || MODULES.contains(name) || name.startsWith(JSON);
  }
}
