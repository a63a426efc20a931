package io.varve.test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Decides whether transactions that ran at the same time were serializable, from what they saw.
///
/// They work on *lists*: a key's value is a list of numbers, and a transaction reads lists and
/// appends numbers that no other transaction appends. So each list shows the order of its writes,
/// and each read shows what it came after (Kingsbury, Alvaro: Elle, 2020). From that follow,
/// between transactions:
///
/// - *ww*: one appended right after what another had appended;
/// - *wr*: one read what another had appended last;
/// - *rw*: one read a list, and another appended the next element;
/// - *time*: one had ended when another began.
///
/// The transactions were serializable, in an order that agrees with time, if these edges have no
/// cycle and nothing was lost or made up. The LSNs that the store gave are not trusted for that,
/// but every edge must agree with them, too: the store promises that they are the commit order.
///
/// Safe for any number of threads until it is asked.
public final class SerializabilityOracle {
  private static final int ANOMALIES_MAX = 20;

  private final AtomicInteger transactions = new AtomicInteger();
  private final AtomicLong elements = new AtomicLong();
  private final AtomicLong time = new AtomicLong();
  private final List<ListTransaction> ended = new ArrayList<>(); // guarded by this

  private final ListTransaction.Notes notes =
      new ListTransaction.Notes() {
        @Override
        public long nextElement() {
          return elements.incrementAndGet();
        }

        @Override
        public long end(ListTransaction transaction) {
          synchronized (SerializabilityOracle.this) {
            ended.add(transaction);
            return time.incrementAndGet();
          }
        }
      };

  /// Makes an oracle for a store without lists.
  public SerializabilityOracle() {}

  /// Notes that a transaction begins.
  public ListTransaction begin() {
    return new ListTransaction(notes, transactions.incrementAndGet(), time.incrementAndGet());
  }

  /// Transactions that committed so far.
  public synchronized long committed() {
    return ended.stream().filter(ListTransaction::isCommitted).count();
  }

  /// Throws unless all that was seen is what some serial order gives.
  ///
  /// @param lists all lists as they are when all transactions have ended
  /// @throws AssertionError that names what is wrong, with the transactions of a shortest cycle
  public void requireSerializable(Map<String, List<Long>> lists) {
    List<String> anomalies = anomalies(lists);
    if (!anomalies.isEmpty()) {
      throw new AssertionError("not serializable: " + String.join("\n", anomalies));
    }
  }

  /// What is wrong, one sentence each, the first few only; empty if the transactions were
  /// serializable.
  ///
  /// @param lists all lists as they are when all transactions have ended
  public synchronized List<String> anomalies(Map<String, List<Long>> lists) {
    List<String> anomalies = new ArrayList<>();
    List<ListTransaction> committed = ended.stream().filter(ListTransaction::isCommitted).toList();
    Map<Long, ListTransaction> writers = new HashMap<>();
    for (ListTransaction transaction : committed) {
      transaction
          .appended()
          .values()
          .forEach(list -> list.forEach(element -> writers.put(element, transaction)));
    }
    addLost(committed, lists, anomalies);
    addReadsOfNoState(committed, lists, writers, anomalies);
    if (anomalies.isEmpty()) {
      Dependencies dependencies = new Dependencies(committed, lists, writers);
      anomalies.addAll(dependencies.cycles());
      anomalies.addAll(dependencies.againstCommitOrder());
    }
    return anomalies.size() <= ANOMALIES_MAX ? anomalies : anomalies.subList(0, ANOMALIES_MAX);
  }

  /// Appends that were committed and are not there: lost updates.
  private static void addLost(
      List<ListTransaction> committed, Map<String, List<Long>> lists, List<String> anomalies) {
    Map<Long, String> there = new HashMap<>();
    lists.forEach((name, list) -> {
      for (Long element : list) {
        if (there.put(element, name) != null) {
          anomalies.add("element is there twice: list=%s, element=%d".formatted(name, element));
        }
      }
    });
    for (ListTransaction transaction : committed) {
      transaction
          .appended()
          .forEach((name, list) -> {
            for (Long element : list) {
              if (!name.equals(there.get(element))) {
                anomalies.add(
                    "lost update: list=%s, element=%d, by %s"
                        .formatted(name, element, transaction));
              }
            }
          });
    }
  }

  /// Reads of what no commit had written, and reads that are no state of the list. Any state of a
  /// list is a start of what it is in the end.
  private static void addReadsOfNoState(
      List<ListTransaction> committed,
      Map<String, List<Long>> lists,
      Map<Long, ListTransaction> writers,
      List<String> anomalies) {
    lists.forEach((name, list) -> {
      for (Long element : list) {
        if (!writers.containsKey(element)) {
          anomalies.add(
              "element of a transaction that did not commit: list=%s, element=%d"
                  .formatted(name, element));
        }
      }
    });
    for (ListTransaction transaction : committed) {
      transaction
          .found()
          .forEach((name, found) -> {
            List<Long> list = lists.getOrDefault(name, List.of());
            if (found.size() > list.size() || !list.subList(0, found.size()).equals(found)) {
              anomalies.add(
                  "read of no state: list=%s, read=%s, in the end=%s, by %s"
                      .formatted(name, found, list, transaction));
            }
          });
    }
  }
}
