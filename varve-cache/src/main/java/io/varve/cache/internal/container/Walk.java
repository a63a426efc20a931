package io.varve.cache.internal.container;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A walk over keys some of which are on the heap, the others in pages, and which move between the
/// two concurrently. Those on the heap come first, then those in pages, then those that left pages
/// before the walk came to their position.
///
/// (W2) A key whose entry is there throughout is met once. It is on the heap when the walk looks
/// there, or in its page when the walk comes by, or it left the page before: then the walk was
/// notified, and had not passed it.
///
/// @param <K> the keys
final class Walk<K> extends FoundKeys<K> {
  /// Above every stored key.
  private static final byte[] END = {PageRecord.PLACE};

  private final PageKeys<K> pages;
  private final UnaryOperator<K> copies;
  private final Deque<K> first = new ArrayDeque<>();
  private final Set<K> known = new HashSet<>();

  private final Set<K> left = new LinkedHashSet<>(); // guarded by this
  private byte[] passed = {}; // the stored key that pages gave last; guarded by this

  /// @param copies makes a key to give out of one that is on the heap
  Walk(PageKeys<K> pages, UnaryOperator<K> copies) {
    this.pages = pages;
    this.copies = copies;
  }

  /// Adds a key that was found on the heap, before the walk begins.
  void addFirst(K key) {
    if (known.add(key)) {
      first.add(key);
    }
  }

  synchronized void willLeavePages(K key, byte[] storedKey) {
    if (pages.covers(storedKey) && Arrays.compareUnsigned(storedKey, passed) > 0) {
      left.add(key);
    }
  }

  @Override
  @Nullable K find() {
    if (!first.isEmpty()) {
      return copies.apply(first.remove());
    }
    while (pages.hasNext()) {
      K key = pages.next();
      pass(key);
      if (!known.contains(key)) {
        return key;
      }
    }
    return findLeft();
  }

  private synchronized void pass(K key) {
    passed = pages.position();
    left.remove(key);
  }

  private synchronized @Nullable K findLeft() {
    passed = END;
    Iterator<K> rest = left.iterator();
    while (rest.hasNext()) {
      K key = rest.next();
      rest.remove();
      if (known.add(key)) {
        return copies.apply(key);
      }
    }
    return null;
  }
}
