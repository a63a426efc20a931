package io.varve.cli.transfer;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.moilioncircle.redis.replicator.io.RedisInputStream;
import com.moilioncircle.redis.replicator.rdb.BaseRdbParser;
import com.moilioncircle.redis.replicator.rdb.BaseRdbParser.StringHelper;
import com.moilioncircle.redis.replicator.rdb.datatype.Stream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A stream of an RDB file, as far as it has a form here: entries that are not deleted, with their
/// fields as they were added. The library is wrong about entries after one that has names of its
/// own: it takes their number of fields from that one. It also keeps one of several fields of one
/// name.
///
/// A listpack begins with the names of its first entry. Entries that have the same ones have values
/// alone:
///
/// | of             | elements                                                              |
/// |----------------|-----------------------------------------------------------------------|
/// | the listpack   | entries, deleted entries, count of names, names, 0                    |
/// | an entry       | flags, millis and sequence after the first id, fields, count of these |
/// | the same names | values                                                                |
/// | other names    | count of fields; of each its name and its value                       |
///
/// For the thread that reads, and after that for others. Never changed then.
final class RdbStream extends Stream {
  private static final long serialVersionUID = 1;
  private static final int LISTPACK_HEADER = 6; // length and number of elements
  private static final int LISTPACK_END = 255;
  private static final int DELETED = 1;
  private static final int SAME_NAMES = 2;
  private static final int TYPE_WITH_FIRST_ID = 19;
  private static final int TYPE_WITH_ACTIVE_TIME = 21;

  /// A field of an entry.
  record Field(byte[] name, byte[] value) {}

  /// An entry.
  record Added(Stream.ID id, List<Field> fields) {}

  private final transient List<Added> added = new ArrayList<>();

  private RdbStream() {}

  /// The entries, in the order of their ids.
  List<Added> added() {
    return added;
  }

  /// Reads a stream, with the groups of consumers after it.
  ///
  /// @param type of the value in the file
  static RdbStream read(RedisInputStream in, int type) throws IOException {
    var stream = new RdbStream();
    var parser = new BaseRdbParser(in);
    for (long left = parser.rdbLoadLen().len; left > 0; left--) {
      var id = new RedisInputStream(parser.rdbLoadPlainStringObject());
      var first = new Stream.ID(id.readLong(Long.BYTES, false), id.readLong(Long.BYTES, false));
      stream.readEntries(first, new RedisInputStream(parser.rdbLoadPlainStringObject()));
    }
    skipLengths(parser, type >= TYPE_WITH_FIRST_ID ? 8 : 3); // length, ids, entries added
    for (long left = parser.rdbLoadLen().len; left > 0; left--) {
      skipGroup(in, parser, type);
    }
    return stream;
  }

  private void readEntries(Stream.ID first, RedisInputStream list) throws IOException {
    list.skip(LISTPACK_HEADER);
    long entries = number(list) + number(list);
    List<byte[]> names = new ArrayList<>();
    for (long left = number(list); left > 0; left--) {
      names.add(StringHelper.listPackEntry(list));
    }
    StringHelper.listPackEntry(list);
    for (long left = entries; left > 0; left--) {
      long flags = number(list);
      Stream.ID id = first.delta(number(list), number(list));
      List<Field> fields = (flags & SAME_NAMES) == 0 ? fields(list) : fields(names, list);
      if ((flags & DELETED) == 0) {
        added.add(new Added(id, fields));
      }
      StringHelper.listPackEntry(list);
    }
    int end = list.read();
    if (end != LISTPACK_END) {
      throw new IOException("a listpack of a stream has no end mark: found=" + end);
    }
  }

  private static List<Field> fields(RedisInputStream list) throws IOException {
    List<Field> fields = new ArrayList<>();
    for (long left = number(list); left > 0; left--) {
      byte[] name = StringHelper.listPackEntry(list);
      fields.add(new Field(name, StringHelper.listPackEntry(list)));
    }
    return fields;
  }

  private static List<Field> fields(List<byte[]> names, RedisInputStream list) throws IOException {
    List<Field> fields = new ArrayList<>();
    for (byte[] name : names) {
      fields.add(new Field(name, StringHelper.listPackEntry(list)));
    }
    return fields;
  }

  private static long number(RedisInputStream list) throws IOException {
    return Long.parseLong(new String(StringHelper.listPackEntry(list), US_ASCII));
  }

  private static void skipGroup(RedisInputStream in, BaseRdbParser parser, int type)
      throws IOException {
    parser.rdbLoadPlainStringObject();
    skipLengths(parser, type >= TYPE_WITH_FIRST_ID ? 3 : 2); // last id, entries read
    for (long left = parser.rdbLoadLen().len; left > 0; left--) {
      skipId(in);
      parser.rdbLoadMillisecondTime();
      skipLengths(parser, 1);
    }
    for (long consumers = parser.rdbLoadLen().len; consumers > 0; consumers--) {
      parser.rdbLoadPlainStringObject();
      parser.rdbLoadMillisecondTime();
      if (type >= TYPE_WITH_ACTIVE_TIME) {
        parser.rdbLoadMillisecondTime();
      }
      for (long left = parser.rdbLoadLen().len; left > 0; left--) {
        skipId(in);
      }
    }
  }

  private static void skipId(RedisInputStream in) throws IOException {
    in.readLong(Long.BYTES, false);
    in.readLong(Long.BYTES, false);
  }

  private static void skipLengths(BaseRdbParser parser, int count) throws IOException {
    for (int left = count; left > 0; left--) {
      parser.rdbLoadLen();
    }
  }
}
