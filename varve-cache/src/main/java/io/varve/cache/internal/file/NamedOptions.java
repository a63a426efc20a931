package io.varve.cache.internal.file;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/// Options by their names. The code that reads a section asks for each option that there is, then
/// calls [#end], which refuses all others. For one thread.
final class NamedOptions {
  private final Map<String, Setting> unread = new LinkedHashMap<>();
  private final TreeSet<String> known = new TreeSet<>();

  /// @param setting a mapping, or nothing at all
  NamedOptions(Setting setting) {
    if (setting.node().getTag().equals(Tag.NULL)) {
      return; // a name and a colon: all is as by default
    }
    if (!(setting.node() instanceof MappingNode mapping)) {
      throw setting.refusal("write options below it, each on a line of its own, indented", null);
    }
    for (NodeTuple each : mapping.getValue()) {
      String within = setting.option().isEmpty() ? "" : setting.option() + ".";
      if (!(each.getKeyNode() instanceof ScalarNode key)) {
        throw new Setting(setting.file(), within + "?", each.getKeyNode())
            .refusal("write the name of an option before the colon", null);
      }
      Setting read = new Setting(setting.file(), within + key.getValue(), each.getValueNode());
      if (unread.put(key.getValue(), read) != null) {
        throw new Setting(setting.file(), read.option(), key)
            .refusal("the option is there twice; leave out one", null);
      }
    }
  }

  /// An option; null if it is not said.
  @Nullable Setting find(String name) {
    known.add(name);
    return unread.remove(name);
  }

  /// Does something with an option, if it is said.
  void ifSaid(String name, Consumer<Setting> use) {
    Setting setting = find(name);
    if (setting != null) {
      use.accept(setting);
    }
  }

  /// A value with what an option sets, if it is given.
  <T> T with(String name, T value, BiFunction<T, Setting, T> set) {
    Setting setting = find(name);
    return setting == null ? value : set.apply(value, setting);
  }

  /// One of two options, if either is said.
  void ifEitherSaid(
      String name, Consumer<Setting> use, String otherName, Consumer<Setting> useOther) {
    Setting setting = find(name);
    Setting other = find(otherName);
    if (setting != null && other != null) {
      throw other.refusal("there is " + name + ", too; leave out one of them", null);
    }
    if (setting != null) {
      use.accept(setting);
    } else if (other != null) {
      useOther.accept(other);
    }
  }

  /// Sections of names that the user chooses.
  Map<String, Setting> all() {
    Map<String, Setting> all = new LinkedHashMap<>(unread);
    unread.clear();
    return all;
  }

  /// Refuses options that were not asked for.
  void end() {
    unread.values().stream()
        .findFirst()
        .ifPresent(setting -> {
          throw setting.refusal(
              "there is no such option here; there are " + String.join(", ", known), null);
        });
  }
}
