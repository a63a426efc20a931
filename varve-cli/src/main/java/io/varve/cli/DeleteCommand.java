package io.varve.cli;

import io.varve.Space;
import io.varve.Transaction;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Figures;
import io.varve.cli.console.Progress;
import io.varve.cli.transfer.JsonLine;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "delete",
    description = "Remove keys, or a range of keys, in one transaction.",
    footer =
        """

        A key is UTF-8 text in which \\n, \\t, \\0, \\\\ and \\xHH stand for bytes, or 0x
        and hex digits.
        Exit code 1 if none of them was there.

        Examples:
          varve delete users alice bob
          varve delete log --prefix 2025-
          varve delete log --to 2025-06-01\
        """)
final class DeleteCommand implements Callable<Integer> {
  private final Stores stores;

  @Parameters(index = "0", paramLabel = "SPACE", description = "Name of the space.")
  String space = "";

  @Parameters(index = "1..*", arity = "0..*", paramLabel = "KEY", description = "The keys.")
  List<String> keys = List.of();

  @Mixin final RangeOptions range = new RangeOptions();

  @Mixin final ResultOptions result = new ResultOptions();

  DeleteCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() {
    if (keys.isEmpty() == !range.isGiven()) {
      throw CommandException.usage("give either keys or a range (--prefix, --from, --to)");
    }
    return stores.useSpace(space, this::delete);
  }

  private int delete(Space found) {
    long deleted;
    try (var _ = Progress.start(stores.stdio(), "delete")) {
      deleted = found.store().transactAndGet(transaction -> delete(transaction, found));
    }
    result.print(
        stores.stdio(),
        "deleted " + Figures.count(deleted, "key"),
        JsonLine.of("space", space).with("deleted", deleted));
    return deleted > 0 ? ExitCode.OK : ExitCode.NEGATIVE;
  }

  private Long delete(Transaction transaction, Space found) {
    if (range.isGiven()) {
      return transaction.deleteRange(found, range.range());
    }
    long deleted = 0;
    for (String key : keys) {
      byte[] bytes = range.keys.key(key);
      if (transaction.contains(found, bytes)) {
        transaction.delete(found, bytes);
        deleted++;
      }
    }
    return deleted;
  }
}
