package io.varve.cli;

import io.varve.cli.console.CommandException;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Figures;
import io.varve.cli.console.KeyText;
import io.varve.cli.transfer.JsonLine;
import io.varve.item.Item;
import io.varve.item.ItemSnapshot;
import io.varve.item.ItemSpace;
import io.varve.json.ItemJson;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "items",
    description = "Read, replace and change the items under a prefix, as JSON.",
    footer =
        """

        A component is a text, or has a type: @long:7, @boolean:true, @uuid:..., @string:@home.
        The names and values of the JSON are such components as well.

        Examples:
          varve items put people Ada --value '{"age":36,"tags":["new"]}'
          varve items get people Ada
          varve items patch people Ada --value '{"age":37,"tags":null}'
          varve items count people
          varve items delete people Ada tags\
        """)
final class ItemsCommand {
  private static final String ITEMS_MAX = "100000";

  private final Stores stores;

  ItemsCommand(Stores stores) {
    this.stores = stores;
  }

  @Command(name = "get", description = "Print the items. Exit code 1 if there are none.")
  int get(
      @Mixin ItemPrefix prefix,
      @Option(
              names = "--max",
              paramLabel = "COUNT",
              defaultValue = ITEMS_MAX,
              description = "How many items there may be. Default: ${DEFAULT-VALUE}.")
          long max) {
    Item start = prefix.item();
    JsonNode value =
        stores.read(store -> {
          try (ItemSnapshot snapshot = prefix.present(store).snapshot()) {
            return ItemJson.read(snapshot, start, max);
          } catch (IllegalArgumentException e) {
            throw CommandException.usage(String.valueOf(e.getMessage()), e);
          }
        });
    boolean isReader = stores.stdio().outIsTerminal();
    String text = isReader ? value.toPrettyString() : value.toString();
    text.lines().forEach(line -> stores.stdio().println(isReader ? KeyText.shown(line) : line));
    return value.isObject() && value.isEmpty() ? ExitCode.NEGATIVE : ExitCode.OK;
  }

  @Command(
      name = "put",
      description =
          "Make the items those of a value of JSON, in one commit. Makes the store and the item"
              + " space if there are none.")
  int put(@Mixin ItemPrefix prefix, @Mixin JsonInput input, @Mixin ResultOptions result) {
    Item start = prefix.item();
    JsonNode json = input.read(stores.stdio());
    return stores.useOrCreate(store ->
        report(
            result,
            prefix,
            change(prefix.made(store), items -> ItemJson.replace(items, start, json))));
  }

  @Command(
      name = "patch",
      description =
          "Change the items by a JSON Merge Patch, in one commit: null removes, and names that are"
              + " not in the patch stay.")
  int patch(
      @Mixin ItemPrefix prefix,
      @Mixin JsonInput input,
      @Option(
              names = "--max",
              paramLabel = "COUNT",
              defaultValue = ITEMS_MAX,
              description = "How many items there may be. Default: ${DEFAULT-VALUE}.")
          long max,
      @Mixin ResultOptions result) {
    Item start = prefix.item();
    JsonNode json = input.read(stores.stdio());
    return stores.use(store ->
        report(
            result,
            prefix,
            change(prefix.present(store), items -> ItemJson.patch(items, start, json, max))));
  }

  @Command(
      name = "delete",
      description = "Remove the items, in one commit. Exit code 1 if there were none.")
  int delete(@Mixin ItemPrefix prefix, @Mixin ResultOptions result) {
    Item start = prefix.item();
    return stores.use(store -> {
      ItemSpace items = prefix.present(store);
      long count = items.count(start);
      items.deleteSubspace(start);
      items.commit();
      result.print(
          stores.stdio(),
          "deleted " + Figures.count(count, "item"),
          JsonLine.of("space", prefix.space).with("deleted", count));
      return count > 0 ? ExitCode.OK : ExitCode.NEGATIVE;
    });
  }

  @Command(name = "count", description = "Print the number of items.")
  int count(@Mixin ItemPrefix prefix, @Mixin ResultOptions result) {
    Item start = prefix.item();
    return stores.read(store -> {
      long count = prefix.present(store).count(start);
      result.print(
          stores.stdio(),
          Long.toString(count),
          JsonLine.of("space", prefix.space).with("count", count));
      return ExitCode.OK;
    });
  }

  /// Makes a change, and commits it.
  private static long change(ItemSpace items, ToLongFunction<ItemSpace> work) {
    long changed;
    try {
      changed = work.applyAsLong(items);
    } catch (IllegalArgumentException e) {
      throw CommandException.usage(String.valueOf(e.getMessage()), e);
    }
    items.commit();
    return changed;
  }

  private int report(ResultOptions result, ItemPrefix prefix, long changed) {
    result.print(
        stores.stdio(),
        Figures.count(changed, "item") + " removed or inserted",
        JsonLine.of("space", prefix.space).with("changed", changed));
    return ExitCode.OK;
  }
}
