package io.varve.test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Which of some committed transactions come before which, as a graph.
///
/// Time is shown by *instants*, nodes of their own, one for each end of a transaction, in a chain:
/// what had ended by an instant comes before it, and what began after it comes after it. So there
/// are as many edges of time as transactions, and not as many as pairs of them.
final class Dependencies {
  private enum Kind {
    WW,
    WR,
    RW,
    TIME
  }

  private record Edge(int from, int to, Kind kind, String list) {}

  private final List<ListTransaction> transactions;
  private final Map<ListTransaction, Integer> indexes = new HashMap<>();
  private final List<List<Edge>> edges = new ArrayList<>();

  /// @param lists all lists in the end; each read is a start of one of them
  /// @param writers which transaction appended which element
  Dependencies(
      List<ListTransaction> committed,
      Map<String, List<Long>> lists,
      Map<Long, ListTransaction> writers) {
    this.transactions = committed;
    for (ListTransaction transaction : committed) {
      indexes.put(transaction, addNode());
    }
    for (ListTransaction transaction : committed) {
      transaction
          .found()
          .forEach((name, found) ->
              addRead(
                  transaction, name, found.size(), lists.getOrDefault(name, List.of()), writers));
    }
    lists.forEach((name, list) -> {
      for (int i = 1; i < list.size(); i++) {
        add(writer(writers, list.get(i - 1)), writer(writers, list.get(i)), Kind.WW, name);
      }
    });
    addTime();
  }

  private static ListTransaction writer(Map<Long, ListTransaction> writers, long element) {
    return Objects.requireNonNull(writers.get(element), "every element has a writer");
  }

  private int node(ListTransaction transaction) {
    return Objects.requireNonNull(indexes.get(transaction), "every transaction has a node");
  }

  private int addNode() {
    edges.add(new ArrayList<>());
    return edges.size() - 1;
  }

  private void addRead(
      ListTransaction reader,
      String name,
      int length,
      List<Long> list,
      Map<Long, ListTransaction> writers) {
    if (length > 0) {
      add(writer(writers, list.get(length - 1)), reader, Kind.WR, name);
    }
    if (length < list.size()) {
      add(reader, writer(writers, list.get(length)), Kind.RW, name);
    }
  }

  private void add(ListTransaction from, ListTransaction to, Kind kind, String list) {
    if (from != to) {
      int start = node(from);
      edges.get(start).add(new Edge(start, node(to), kind, list));
    }
  }

  private void addTime() {
    List<ListTransaction> byEnd = new ArrayList<>(transactions);
    byEnd.sort(Comparator.comparingLong(ListTransaction::endedAt));
    List<ListTransaction> byBegin = new ArrayList<>(transactions);
    byBegin.sort(Comparator.comparingLong(ListTransaction::begunAt));
    int instant = -1;
    int begun = 0;
    for (ListTransaction ending : byEnd) {
      for (; begun < byBegin.size() && byBegin.get(begun).begunAt() < ending.endedAt(); begun++) {
        addTime(instant, node(byBegin.get(begun)));
      }
      int next = addNode();
      addTime(instant, next);
      addTime(node(ending), next);
      instant = next;
    }
  }

  private void addTime(int from, int to) {
    if (from >= 0) {
      edges.get(from).add(new Edge(from, to, Kind.TIME, ""));
    }
  }

  /// Edges that contradict the LSNs.
  List<String> againstCommitOrder() {
    List<String> found = new ArrayList<>();
    for (List<Edge> outgoing : edges.subList(0, transactions.size())) {
      for (Edge edge : outgoing) {
        if (edge.to < transactions.size() && !agrees(edge)) {
          found.add("LSNs contradict what was seen: " + describe(edge));
        }
      }
    }
    return found;
  }

  /// The LSN of a transaction that only reads is that of the last commit that it saw.
  private boolean agrees(Edge edge) {
    ListTransaction from = transactions.get(edge.from);
    ListTransaction to = transactions.get(edge.to);
    return from.lsn() < to.lsn() || (!to.writes() && from.lsn() == to.lsn());
  }

  /// A shortest cycle of each set of transactions that all come before each other.
  List<String> cycles() {
    List<String> found = new ArrayList<>();
    for (List<Integer> component : new Components().find()) {
      if (component.size() > 1) {
        found.add(describe(shortestCycle(component)));
      }
    }
    return found;
  }

  private List<Edge> shortestCycle(List<Integer> component) {
    List<Edge> shortest = List.of();
    for (int start : component) {
      List<Edge> cycle = start < transactions.size() ? cycleFrom(start) : List.of();
      if (!cycle.isEmpty() && (shortest.isEmpty() || cycle.size() < shortest.size())) {
        shortest = cycle;
      }
    }
    return shortest;
  }

  /// The shortest way from a node back to it; empty if there is none.
  private List<Edge> cycleFrom(int start) {
    Map<Integer, Edge> reachedBy = new HashMap<>();
    ArrayDeque<Integer> open = new ArrayDeque<>(List.of(start));
    while (!open.isEmpty()) {
      for (Edge edge : edges.get(open.remove())) {
        if (reachedBy.putIfAbsent(edge.to, edge) == null) {
          if (edge.to == start) {
            return wayBack(start, reachedBy);
          }
          open.add(edge.to);
        }
      }
    }
    return List.of();
  }

  private static List<Edge> wayBack(int start, Map<Integer, Edge> reachedBy) {
    List<Edge> way = new ArrayList<>();
    int at = start;
    do {
      Edge edge = Objects.requireNonNull(reachedBy.get(at), "a node on the way was reached");
      way.add(edge);
      at = edge.from;
    } while (at != start);
    Collections.reverse(way);
    return way;
  }

  /// Names a cycle as Adya does (Weak Consistency, 1999) by the number of its *rw* edges.
  private String describe(List<Edge> cycle) {
    long readBefore = cycle.stream().filter(edge -> edge.kind == Kind.RW).count();
    String name =
        switch ((int) readBefore) {
          case 0 -> "cycle of what was written and read (G1)";
          case 1 -> "read skew or stale read (G-single)";
          default -> "write skew (G2)";
        };
    StringBuilder text = new StringBuilder(name);
    for (Edge edge : cycle) {
      text.append("\n  ").append(describe(edge));
    }
    return text.toString();
  }

  private String describe(Edge edge) {
    return "%s -%s%s-> %s"
        .formatted(
            describe(edge.from),
            edge.kind,
            edge.list.isEmpty() ? "" : " " + edge.list,
            describe(edge.to));
  }

  private String describe(int node) {
    return node < transactions.size() ? transactions.get(node).toString() : "an instant";
  }

  /// Strongly connected components (Tarjan, 1972), without recursion.
  private final class Components {
    private final int[] order = new int[edges.size()];
    private final int[] low = new int[edges.size()];
    private final int[] nextEdge = new int[edges.size()];
    private final boolean[] onStack = new boolean[edges.size()];
    private final ArrayDeque<Integer> stack = new ArrayDeque<>();
    private final ArrayDeque<Integer> path = new ArrayDeque<>();
    private final List<List<Integer>> components = new ArrayList<>();
    private int visited;

    List<List<Integer>> find() {
      Arrays.fill(order, -1);
      for (int node = 0; node < order.length; node++) {
        if (order[node] < 0) {
          enter(node);
          while (!path.isEmpty()) {
            step(path.peek());
          }
        }
      }
      return components;
    }

    private void enter(int node) {
      order[node] = visited;
      low[node] = visited;
      visited++;
      stack.push(node);
      onStack[node] = true;
      path.push(node);
    }

    private void step(int node) {
      List<Edge> outgoing = edges.get(node);
      if (nextEdge[node] < outgoing.size()) {
        int to = outgoing.get(nextEdge[node]).to;
        nextEdge[node]++;
        if (order[to] < 0) {
          enter(to);
        } else if (onStack[to]) {
          low[node] = Math.min(low[node], order[to]);
        }
        return;
      }
      path.pop();
      if (!path.isEmpty()) {
        low[path.peek()] = Math.min(low[path.peek()], low[node]);
      }
      if (low[node] == order[node]) {
        components.add(popComponent(node));
      }
    }

    private List<Integer> popComponent(int root) {
      List<Integer> component = new ArrayList<>();
      int node;
      do {
        node = stack.pop();
        onStack[node] = false;
        component.add(node);
      } while (node != root);
      return component;
    }
  }
}
