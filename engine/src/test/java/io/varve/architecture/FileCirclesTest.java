package io.varve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Files of a package use each other in one direction, so that each can be read before those that
/// use it. A circle of files has to be read as a whole.
@AnalyzeClasses(packages = "io.varve", importOptions = ArchitectureTest.EngineOnly.class)
class FileCirclesTest {
  /// The circles that there are. The API names each other's types, and errors and markers are
  /// sealed types; the others are to be opened: take out what a change has opened, and add nothing.
  private static final List<Set<String>> KNOWN =
      List.of(
          circle(
              "",
              "AsyncSpace",
              "IndexedSpace",
              "OrderedMap",
              "OrderedSet",
              "ReadView",
              "Snapshot",
              "Space",
              "Store",
              "Table",
              "TableSet",
              "Transaction",
              "TransactionBody",
              "TransactionWork",
              "Watch"),
          circle("", "Codec", "RecordCodec"),
          circle(
              "",
              "ConflictException",
              "CorruptStoreException",
              "StoreBusyException",
              "StoreClosedException",
              "StoreFailedException",
              "StoreFullException",
              "StoreIoException",
              "StoreKeyException",
              "StoreLockedException",
              "UnsupportedFormatException",
              "VarveException"),
          circle(
              "internal.codec",
              "CodecIds",
              "ComponentTypes",
              "ComponentsCodec",
              "ListCodec",
              "OptionalCodec",
              "Parts",
              "RecordAccess",
              "TupleCodec"),
          circle("internal.item", "ItemEntries", "ItemEntryCursor", "LayeredSpace", "Levels"),
          circle("internal.page", "Branches", "Inner", "Leaf", "Node", "References"),
          circle("internal.store", "LogSurvey", "Replay", "ReplayBuffer", "ReplayRelief"),
          circle("internal.txn", "AsyncWrites", "LiveSpace", "SpaceView"),
          circle("item", "Attribute", "EntityClass", "Marker"),
          circle("item", "Attribute", "Marker"),
          circle("item", "ItemSnapshot", "ItemSpace", "ItemView"));

  private static Set<String> circle(String packageName, String... files) {
    String prefix = packageName.isEmpty() ? "" : packageName + ".";
    return Stream.of(files).map(file -> prefix + file).collect(Collectors.toSet());
  }

  @ArchTest
  void noFileIsPartOfANewCircle(JavaClasses engine) {
    assertThat(circles(engine))
        .as("circles of files inside of a package, other than the known ones")
        .allSatisfy(circle -> assertThat(KNOWN).anyMatch(known -> known.containsAll(circle)));
  }

  private static List<Set<String>> circles(JavaClasses engine) {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass type : engine) {
      type.getDirectDependenciesFromSelf().stream()
          .map(used -> used.getTargetClass().getBaseComponentType())
          .filter(used -> engine.contain(used.getName()))
          .filter(used -> used.getPackageName().equals(type.getPackageName()))
          .forEach(used -> uses.computeIfAbsent(file(type), _ -> new TreeSet<>()).add(file(used)));
    }
    return new Circles(uses).found;
  }

  /// The name of the top-level class, without that of the engine's packages.
  private static String file(JavaClass type) {
    String name = type.getName();
    int nested = name.indexOf('$');
    return (nested < 0 ? name : name.substring(0, nested)).substring("io.varve.".length());
  }

  /// The strongly connected components of more than one file (Tarjan, 1972).
  private static final class Circles {
    private final Map<String, Set<String>> uses;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Deque<String> open = new ArrayDeque<>();
    private final List<Set<String>> found = new ArrayList<>();

    Circles(Map<String, Set<String>> uses) {
      this.uses = uses;
      for (String file : uses.keySet()) {
        if (!numbers.containsKey(file)) {
          visit(file);
        }
      }
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
}
