package io.varve.cli.transfer;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.moilioncircle.redis.replicator.Replicator;
import com.moilioncircle.redis.replicator.io.RedisInputStream;
import com.moilioncircle.redis.replicator.rdb.BaseRdbParser;
import com.moilioncircle.redis.replicator.rdb.BaseRdbParser.LenHelper;
import com.moilioncircle.redis.replicator.rdb.BaseRdbParser.StringHelper;
import com.moilioncircle.redis.replicator.rdb.DefaultRdbValueVisitor;
import com.moilioncircle.redis.replicator.rdb.datatype.ZSetEntry;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;

/// Reads small sorted sets of RDB files, which have their scores as text. Redis writes infinite
/// ones as `inf` and `-inf`; the library takes the text for a number of Java, and fails. Streams
/// are read by [RdbStream].
///
/// For the thread that reads.
final class RdbScores extends DefaultRdbValueVisitor {
  private static final int LISTPACK_BYTES = 4; // of the length at its start
  private static final int PAIR = 2; // elements: a member, a score
  private static final int LAST = 255;

  /// Reads the next element of a list.
  private interface Element {
    byte[] read(RedisInputStream in) throws IOException;
  }

  RdbScores(Replicator replicator) {
    super(replicator);
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as the library has it
  public <T> T applyZSetListPack(RedisInputStream in, int version) throws IOException {
    var list = new RedisInputStream(new BaseRdbParser(in).rdbLoadPlainStringObject());
    list.skip(LISTPACK_BYTES);
    return (T) sortedSet(list, list.readInt(2), StringHelper::listPackEntry);
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as the library has it
  public <T> T applyZSetZipList(RedisInputStream in, int version) throws IOException {
    var list = new RedisInputStream(new BaseRdbParser(in).rdbLoadPlainStringObject());
    LenHelper.zlbytes(list);
    LenHelper.zltail(list);
    return (T) sortedSet(list, LenHelper.zllen(list), StringHelper::zipListEntry);
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as the library has it
  protected <T> T applyStreamListPacks(RedisInputStream in, int version, int type)
      throws IOException {
    return (T) RdbStream.read(in, type);
  }

  private static Set<ZSetEntry> sortedSet(RedisInputStream list, int count, Element element)
      throws IOException {
    if (count % PAIR != 0) {
      throw new IOException("a list is not of members and scores: elements=" + count);
    }
    var set = new LinkedHashSet<ZSetEntry>();
    for (int left = count; left > 0; left -= PAIR) {
      byte[] member = element.read(list);
      set.add(new ZSetEntry(member, score(new String(element.read(list), US_ASCII))));
    }
    int end = list.read();
    if (end != LAST) {
      throw new IOException("a list of members and scores has no end mark: found=" + end);
    }
    return set;
  }

  private static double score(String text) {
    return switch (text) {
      case "inf" -> Double.POSITIVE_INFINITY;
      case "-inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }
}
