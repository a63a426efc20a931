package io.varve.grid.guard.resp.command;

import io.varve.grid.guard.entry.EntryLength;
import io.varve.grid.guard.resp.format.RespNumbers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.infinispan.multimap.impl.HashMapBucket;
import org.infinispan.multimap.impl.ScoredValue;
import org.infinispan.multimap.impl.SetBucket;
import org.infinispan.multimap.impl.SortedSetBucket;
import org.infinispan.multimap.impl.internal.MultimapObjectWrapper;
import org.infinispan.server.resp.commands.sortedset.ZSetCommonUtils;
import org.infinispan.server.resp.commands.sortedset.ZSetCommonUtils.Lex;
import org.infinispan.server.resp.commands.sortedset.ZSetCommonUtils.Score;
import org.jspecify.annotations.Nullable;

/// What a command removes from a collection, and what is left of it.
///
/// @param named the elements that are to be removed; they may not be there
/// @param count of those that are
/// @param rest a collection without them, null if nothing is left
record Removal(Collection<byte[]> named, long count, @Nullable Object rest) {
  /// Comparisons of two elements, which take an event loop some milliseconds.
  private static final long COMPARISONS_MAX = 1 << 18;

  /// What the words of a command remove. Null if Infinispan compares few elements for it, or
  /// refuses it.
  static @Nullable Removal of(String command, Object collection, List<byte[]> words) {
    Set<MultimapObjectWrapper<byte[]>> named;
    try {
      named = named(command, collection, words);
    } catch (NumberFormatException _) {
      return null;
    }
    long size = EntryLength.elements(collection);
    if (named == null || size * named.size() <= COMPARISONS_MAX) {
      return null;
    }
    Object rest = without(collection, named);
    long left = EntryLength.elements(rest);
    return new Removal(
        named.stream().map(MultimapObjectWrapper::get).toList(),
        size - left,
        left == 0 ? null : rest);
  }

  @SuppressWarnings("unchecked") // RESP stores bytes alone.
  private static @Nullable Set<MultimapObjectWrapper<byte[]>> named(
      String command, Object collection, List<byte[]> words) {
    return switch (collection) {
      case SetBucket<?> _ when command.equals("SREM") -> words(words);
      case SetBucket<?> set when command.equals("SPOP") ->
          chosen(((SetBucket<byte[]>) set).toList(), RespNumbers.toLong(words.get(1)));
      case HashMapBucket<?, ?> _ when command.equals("HDEL") -> words(words);
      case SortedSetBucket<?> _ when command.equals("ZREM") -> words(words);
      case SortedSetBucket<?> sorted when command.startsWith("ZREM") -> {
        Collection<ScoredValue<byte[]>> range =
            range(command, (SortedSetBucket<byte[]>) sorted, words.get(1), words.get(2));
        yield range == null
            ? null
            : range.stream().map(ScoredValue::wrappedValue).collect(Collectors.toSet());
      }
      default -> null;
    };
  }

  /// Those after the key.
  private static Set<MultimapObjectWrapper<byte[]>> words(List<byte[]> words) {
    return wrapped(words.subList(1, words.size()));
  }

  /// Many that have one hash are ordered, and found soon.
  private static Set<MultimapObjectWrapper<byte[]>> wrapped(Collection<byte[]> elements) {
    return elements.stream().map(MultimapObjectWrapper::new).collect(Collectors.toSet());
  }

  private static @Nullable Set<MultimapObjectWrapper<byte[]>> chosen(
      List<byte[]> members, long count) {
    if (count < 0) {
      return null;
    }
    List<byte[]> shuffled = new ArrayList<>(members);
    Collections.shuffle(shuffled);
    return wrapped(shuffled.subList(0, (int) Math.min(count, shuffled.size())));
  }

  private static @Nullable Collection<ScoredValue<byte[]>> range(
      String command, SortedSetBucket<byte[]> sorted, byte[] from, byte[] to) {
    return switch (command) {
      case "ZREMRANGEBYLEX" -> {
        Lex first = ZSetCommonUtils.parseLex(from);
        Lex last = ZSetCommonUtils.parseLex(to);
        yield first == null || last == null
            ? null
            : sorted.subset(
                first.value, first.include, last.value, last.include, false, null, null);
      }
      case "ZREMRANGEBYSCORE" -> {
        Score first = ZSetCommonUtils.parseScore(from);
        Score last = ZSetCommonUtils.parseScore(to);
        yield first == null || last == null
            ? null
            : sorted.subset(
                first.value, first.include, last.value, last.include, false, null, null);
      }
      default -> sorted.subsetByIndex(RespNumbers.toLong(from), RespNumbers.toLong(to), false);
    };
  }

  @SuppressWarnings("unchecked") // RESP stores bytes alone.
  private static Object without(Object collection, Set<MultimapObjectWrapper<byte[]>> named) {
    return switch (collection) {
      case SetBucket<?> set -> {
        List<byte[]> rest = new ArrayList<>(((SetBucket<byte[]>) set).toList());
        rest.removeIf(member -> named.contains(new MultimapObjectWrapper<>(member)));
        yield SetBucket.create((Collection<byte[]>) rest);
      }
      case HashMapBucket<?, ?> hash -> {
        IdentityHashMap<byte[], byte[]> rest = new IdentityHashMap<>();
        ((HashMapBucket<byte[], byte[]>) hash)
            .converted()
            .forEach((field, value) -> {
              if (!named.contains(new MultimapObjectWrapper<>(field))) {
                rest.put(field, value);
              }
            });
        yield HashMapBucket.create(rest);
      }
      case SortedSetBucket<?> sorted -> {
        var scored = (SortedSetBucket<byte[]>) sorted;
        List<ScoredValue<byte[]>> rest = scored.getScoredEntriesAsList();
        rest.removeIf(member -> named.contains(member.wrappedValue()));
        yield scored.replace(rest);
      }
      default -> throw new IllegalArgumentException("no collection: " + collection.getClass());
    };
  }
}
