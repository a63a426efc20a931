package io.varve.cli.transfer;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.moilioncircle.redis.replicator.Replicator;
import com.moilioncircle.redis.replicator.event.Event;
import com.moilioncircle.redis.replicator.io.RedisInputStream;
import com.moilioncircle.redis.replicator.rdb.BaseRdbParser;
import com.moilioncircle.redis.replicator.rdb.BaseRdbParser.StringHelper;
import com.moilioncircle.redis.replicator.rdb.DefaultRdbVisitor;
import com.moilioncircle.redis.replicator.rdb.datatype.ContextKeyValuePair;
import com.moilioncircle.redis.replicator.rdb.datatype.KeyStringValueHash;
import com.moilioncircle.redis.replicator.util.ByteArrayMap;
import java.io.IOException;

/// Reads RDB files of the versions that the library reads, and of later ones. Redis 7.4 and 8.0
/// write version 12 (`src/rdb.c` of Redis): hashes whose fields have a time to live, and a record
/// of the slots of a cluster. Version 13, of Redis 8.6, has streams that remember what their
/// producers added, here as two other readers of such files have them:
///
/// | type       | body                                                                           |
/// |-----------:|--------------------------------------------------------------------------------|
/// | 22         | count; of each field when it ends, its name and its value                      |
/// | 23         | listpack of names, values and ends                                             |
/// | 24         | first end (8 bytes), count; of each field its end less the first one, plus 1   |
/// | 25         | first end, and then as 23                                                      |
/// | 26         | as 21 of the library; then how long and how many ids are kept, count of        |
/// |            | producers; of each its name, count, and of each id that, millis and sequence;  |
/// |            | then ids added and duplicates                                                  |
/// | 244        | slot, keys, keys that end: passed over                                         |
///
/// An end is milliseconds since 1970, and 0 for none. The library sees such hashes as plain ones,
/// and such streams as those of type 21. Versions 14 and 15, of Redis 8.8 and 8.10, have more types
/// again: a file of those is read as far as it has none of them.
///
/// For the thread that reads. What it counts is for others once all is read.
final class RdbVersions extends DefaultRdbVisitor {
  private static final String MAGIC = "REDIS";
  private static final String MAGIC_OF_VALKEY = "VALKE"; // of VALKEY, which has a digit less
  private static final int VERSION_DIGITS = 4;
  private static final int VERSION_MIN = 2;
  private static final int VERSION_MAX = 15;
  private static final int PLAIN_HASH = 4;
  private static final int EARLY_HASH = 22;
  private static final int EARLY_LISTPACK = 23;
  private static final int HASH = 24;
  private static final int LISTPACK = 25;
  private static final int STREAM_BEFORE = 21;
  private static final int STREAM = 26;
  private static final int KNOWN_MAX = STREAM; // of types of values
  private static final int LATER_MAX = 241; // what is above is no type of a value
  private static final int TEMPLATES = 242; // of hashes, from version 15
  private static final int KEY_OF_MODULES = 243; // what modules keep with a key, from version 13
  private static final int SLOT = 244;
  private static final int LISTPACK_BYTES = 4; // of the length at its start
  private static final int LISTPACK_COUNT_MAX = 0xffff; // then it has that or more
  private static final int LISTPACK_FIELD = 3; // elements: a name, a value, an end
  private static final int LISTPACK_END = 255;

  private static final String OTHER_WAY = ", or copy the keys to a node by a client";

  private final long nowMillis;
  private int type; // as the file has it
  private long expiredFields;
  private long expiringFields;

  /// @param nowMillis since 1970: fields that end before are left out
  RdbVersions(Replicator replicator, long nowMillis) {
    super(replicator, new RdbScores(replicator));
    this.nowMillis = nowMillis;
  }

  /// How many fields of hashes have expired, and were left out.
  long expiredFields() {
    return expiredFields;
  }

  /// How many have a time to live.
  long expiringFields() {
    return expiringFields;
  }

  /// Whether fields of the hash read last may have expired, for the thread that reads.
  boolean fieldsMayExpire() {
    return type >= EARLY_HASH && type <= LISTPACK;
  }

  @Override
  public String applyMagic(RedisInputStream in) throws IOException {
    String magic = StringHelper.str(in, MAGIC.length());
    if (magic.equals(MAGIC)) {
      return magic;
    }
    throw new IOException(
        magic.equals(MAGIC_OF_VALKEY)
            ? "it is of Valkey 9 or later; write it by Valkey 8" + OTHER_WAY
            : "its first bytes are not " + MAGIC);
  }

  @Override
  public int applyVersion(RedisInputStream in) throws IOException {
    String digits = StringHelper.str(in, VERSION_DIGITS);
    int version = Integer.parseInt(digits);
    if (version < VERSION_MIN || version > VERSION_MAX) {
      throw new IOException(
          "its version is not known: version="
              + version
              + ", min="
              + VERSION_MIN
              + ", max="
              + VERSION_MAX
              + "; write it by Redis 8.6 or before"
              + OTHER_WAY);
    }
    return version;
  }

  @Override
  public int applyType(RedisInputStream in) throws IOException {
    type = super.applyType(in);
    while (type == SLOT) {
      var parser = new BaseRdbParser(in);
      for (int part = 0; part < 3; part++) {
        parser.rdbLoadLen();
      }
      type = super.applyType(in);
    }
    requireKnown(type);
    return fieldsMayExpire() ? PLAIN_HASH : type == STREAM ? STREAM_BEFORE : type;
  }

  private static void requireKnown(int type) throws IOException {
    if (type == KEY_OF_MODULES) {
      throw new IOException(
          "a key has what a module keeps with it, which only Redis reads: type=" + type);
    }
    if ((type > KNOWN_MAX && type <= LATER_MAX) || type == TEMPLATES) {
      throw new IOException(
          "a value is of a type that Redis has from 8.8 on: type="
              + type
              + ", max="
              + KNOWN_MAX
              + "; write the file by Redis 8.6 or before"
              + OTHER_WAY);
    }
  }

  @Override
  public Event applyStreamListPacks3(RedisInputStream in, int version, ContextKeyValuePair context)
      throws IOException {
    Event event = super.applyStreamListPacks3(in, version, context);
    if (type == STREAM) {
      skipProducers(new BaseRdbParser(in));
    }
    return event;
  }

  /// Passes over what keeps Redis from adding an entry twice that a producer sends twice.
  private static void skipProducers(BaseRdbParser parser) throws IOException {
    number(parser, "millis of ids");
    number(parser, "ids of a producer");
    for (long producers = number(parser, "producers"); producers > 0; producers--) {
      parser.rdbLoadEncodedStringObject();
      for (long ids = number(parser, "ids"); ids > 0; ids--) {
        parser.rdbLoadEncodedStringObject();
        number(parser, "millis of an id");
        number(parser, "sequence of an id");
      }
    }
    number(parser, "ids added");
    number(parser, "ids added twice");
  }

  @Override
  public Event applyHash(RedisInputStream in, int version, ContextKeyValuePair context)
      throws IOException {
    if (type == PLAIN_HASH) {
      return super.applyHash(in, version, context);
    }
    var parser = new BaseRdbParser(in);
    var hash = new KeyStringValueHash();
    hash.setValueRdbType(PLAIN_HASH);
    hash.setKey(parser.rdbLoadEncodedStringObject().first());
    long first = type == HASH || type == LISTPACK ? parser.rdbLoadMillisecondTime() : 0;
    hash.setValue(type == HASH || type == EARLY_HASH ? fields(parser, first) : listpack(parser));
    return context.valueOf(hash);
  }

  private ByteArrayMap fields(BaseRdbParser parser, long first) throws IOException {
    long count = number(parser, "fields");
    if (count <= 0) {
      throw new IOException("a hash has no fields: count=" + count);
    }
    var fields = new ByteArrayMap();
    for (long left = count; left > 0; left--) {
      long end = number(parser, "end");
      byte[] name = parser.rdbLoadEncodedStringObject().first();
      byte[] value = parser.rdbLoadEncodedStringObject().first();
      put(fields, name, value, end == 0 || type == EARLY_HASH ? end : sum(first, end - 1));
    }
    return fields;
  }

  /// A number that the file writes as a length.
  private static long number(BaseRdbParser parser, String what) throws IOException {
    var found = parser.rdbLoadLen();
    if (found.encoded) {
      throw new IOException(
          "a value has the code of a string for a number: what=" + what + ", code=" + found.len);
    }
    return found.len;
  }

  private static long sum(long first, long more) throws IOException {
    try {
      return Math.addExact(first, more);
    } catch (ArithmeticException e) {
      throw new IOException(
          "a field ends after all times: first=" + first + ", millis after it=" + more, e);
    }
  }

  private ByteArrayMap listpack(BaseRdbParser parser) throws IOException {
    var fields = new ByteArrayMap();
    var in = new RedisInputStream(parser.rdbLoadPlainStringObject());
    in.skip(LISTPACK_BYTES);
    int count = in.readInt(2);
    if (count == LISTPACK_COUNT_MAX) {
      throw new IOException("a hash has too many fields in one listpack: elements=" + count);
    }
    if (count == 0 || count % LISTPACK_FIELD != 0) {
      throw new IOException("a listpack is not of names, values and ends: elements=" + count);
    }
    for (int left = count; left > 0; left -= LISTPACK_FIELD) {
      byte[] name = StringHelper.listPackEntry(in);
      byte[] value = StringHelper.listPackEntry(in);
      String end = new String(StringHelper.listPackEntry(in), US_ASCII);
      put(fields, name, value, Long.parseLong(end));
    }
    int end = in.read();
    if (end != LISTPACK_END) {
      throw new IOException("a listpack has no end mark: found=" + end);
    }
    return fields;
  }

  private void put(ByteArrayMap fields, byte[] name, byte[] value, long endMillis)
      throws IOException {
    if (endMillis < 0) {
      throw new IOException("a field ends before 1970: millis=" + endMillis);
    }
    if (endMillis != 0 && endMillis <= nowMillis) {
      expiredFields++;
      return;
    }
    expiringFields += endMillis == 0 ? 0 : 1;
    fields.put(name, value);
  }
}
