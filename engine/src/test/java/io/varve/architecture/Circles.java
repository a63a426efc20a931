package io.varve.architecture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The strongly connected components of more than one file (Tarjan, 1972).
final class Circles {
  private final Map<String, Set<String>> uses;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Deque<String> open = new ArrayDeque<>();
  private final List<Set<String>> found = new ArrayList<>();

  private Circles(Map<String, Set<String>> uses) {
    this.uses = uses;
    for (String file : uses.keySet()) {
      if (!numbers.containsKey(file)) {
        visit(file);
      }
    }
  }

  /// The circles of files.
  ///
  /// @param uses what each file uses
  static List<Set<String>> of(Map<String, Set<String>> uses) {
    return new Circles(uses).found;
  }

  /// @return the lowest number that an open file has which this one leads to
  private int visit(String file) {
    int number = numbers.size();
    numbers.put(file, number);
    open.push(file);
    int lowest = number;
    for (String used : uses.getOrDefault(file, Set.of())) {
      if (!numbers.containsKey(used)) {
        lowest = Math.min(lowest, visit(used));
      } else if (open.contains(used)) {
        lowest = Math.min(lowest, numbers.get(used));
      }
    }
    if (lowest == number) {
      close(file);
    }
    return lowest;
  }

  private void close(String first) {
    Set<String> circle = new TreeSet<>();
    String file;
    do {
      file = open.pop();
      circle.add(file);
    } while (!file.equals(first));
    if (circle.size() > 1) {
      found.add(circle);
    }
  }
}
