package io.varve.test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What one transaction over lists did, as a [SerializabilityOracle] follows it: the lists that it
/// read and the elements that it appended.
///
/// For one thread until it is notified how the transaction ended.
public final class ListTransaction {
  private final Notes notes;
  private final int number;
  private final long begunAt;

  /// The lists as they were before this transaction, where it read them.
  private final Map<String, List<Long>> found = new HashMap<>();

  private final Map<String, List<Long>> appended = new HashMap<>();
  private long endedAt = Long.MAX_VALUE;
  private long lsn;
  private boolean committed;

  /// What an oracle notes of all transactions.
  interface Notes {
    /// An element that no other append has.
    long nextElement();

    /// Notes the end of a transaction, and gives its instant.
    long end(ListTransaction transaction);
  }

  ListTransaction(Notes notes, int number, long begunAt) {
    this.notes = notes;
    this.number = number;
    this.begunAt = begunAt;
  }

  /// Notes that the transaction read a list.
  ///
  /// @param list the name of the list
  /// @param elements what it read; empty if there is no such list
  /// @throws AssertionError if it does not see its own appends, or the same list as before
  public void read(String list, List<Long> elements) {
    List<Long> own = appended.getOrDefault(list, List.of());
    int before = elements.size() - own.size();
    if (before < 0 || !elements.subList(before, elements.size()).equals(own)) {
      throw new AssertionError(
          "a transaction does not see its own writes: list=%s, read=%s, appended=%s"
              .formatted(list, elements, own));
    }
    List<Long> others = List.copyOf(elements.subList(0, before));
    List<Long> earlier = found.putIfAbsent(list, others);
    if (earlier != null && !earlier.equals(others)) {
      throw new AssertionError(
          "a transaction reads two states of a list: list=%s, first=%s, then=%s"
              .formatted(list, earlier, others));
    }
  }

  /// Notes that the transaction appends an element to a list that it has read.
  ///
  /// @return the element, which no other append has
  public long append(String list) {
    if (!found.containsKey(list)) {
      throw new IllegalStateException("reads check an append: read the list first: " + list);
    }
    long element = notes.nextElement();
    appended.computeIfAbsent(list, _ -> new ArrayList<>()).add(element);
    return element;
  }

  /// Notes that the transaction is committed.
  ///
  /// @param commit the LSN that the store gave
  public void committed(long commit) {
    lsn = commit;
    committed = true;
    endedAt = notes.end(this);
  }

  /// Notes that the store refused the commit: no transaction may ever see what it appended.
  public void refused() {
    endedAt = notes.end(this);
  }

  Map<String, List<Long>> found() {
    return found;
  }

  Map<String, List<Long>> appended() {
    return appended;
  }

  boolean writes() {
    return !appended.isEmpty();
  }

  boolean isCommitted() {
    return committed;
  }

  long begunAt() {
    return begunAt;
  }

  long endedAt() {
    return endedAt;
  }

  long lsn() {
    return lsn;
  }

  @Override
  public String toString() {
    return "T"
        + number
        + "[lsn="
        + lsn
        + ", read="
        + Set.copyOf(found.keySet())
        + ", appended="
        + appended
        + "]";
  }
}
