package io.varve.cli;

import io.varve.CorruptStoreException;
import io.varve.Space;
import io.varve.Statistics;
import io.varve.Store;
import io.varve.Verification;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Figures;
import io.varve.cli.console.KeyText;
import io.varve.cli.documents.Documents;
import io.varve.cli.transfer.JsonLine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "verify",
    description = {
      "Read every page and check every checksum, the order of keys and the counts.",
      "Compare indexes of documents with the documents."
    },
    footer =
        """

        Exit code 0 if the store is sound, 1 if it is not: then each finding is a line.

        Examples:
          varve verify
          varve verify --store /backup/monday && echo sound\
        """)
final class VerifyCommand implements Callable<Integer> {
  private final Stores stores;

  @Mixin final ResultOptions result = new ResultOptions();

  VerifyCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() {
    try {
      return stores.read(this::verify);
    } catch (CorruptStoreException e) {
      throw CommandException.failedCheck(String.valueOf(e.getMessage()), e);
    }
  }

  private int verify(Store store) {
    store.spaceNames().forEach(space -> keepIndexes(store, space));
    var done = new BytesDone();
    Statistics now = store.statistics();
    try (var _ =
        done.show(stores.stdio(), "verify", now.disk().pageFileBytes() - now.disk().freeBytes())) {
      return report(store.verify(done), notBuilt(store));
    } catch (IllegalArgumentException e) { // a value that an index cannot read
      throw CommandException.failedCheck(String.valueOf(e.getMessage()), e);
    }
  }

  /// Indexes of documents are compared with them; what those of classes are only programs know.
  private static void keepIndexes(Store store, String space) {
    try {
      Documents.keepIndexes(store, space);
    } catch (IllegalArgumentException _) {
      // A table of something else.
    }
  }

  /// The indexes that were not compared since a build of them was broken off, which is no damage.
  private static List<String> notBuilt(Store store) {
    List<String> names = new ArrayList<>();
    for (String name : store.spaceNames()) {
      Space space = store.findSpace(name);
      if (space != null) {
        store.indexed(space).list().stream()
            .filter(index -> !index.isBuilt())
            .map(index -> "space=" + name + ", index=" + index.name())
            .forEach(names::add);
      }
    }
    return names;
  }

  private int report(Verification verification, List<String> notBuilt) {
    if (!result.json) {
      verification.problems().forEach(stores.stdio()::println);
      notBuilt.forEach(index -> stores.stdio().println("index not built: " + KeyText.shown(index)));
    }
    result.print(
        stores.stdio(),
        (verification.isSound()
                ? "sound"
                : "NOT SOUND: " + Figures.count(verification.problems().size(), "problem"))
            + ": "
            + Figures.count(verification.spaces(), "space")
            + ", "
            + Figures.count(verification.pages(), "page")
            + ", "
            + Figures.count(verification.entries())
            + " entries, "
            + Figures.bytes(verification.liveBytes())
            + " live, "
            + Figures.bytes(verification.freeBytes())
            + " free",
        JsonLine.of("sound", verification.isSound())
            .with("problems", verification.problems().stream().map(String::valueOf).toList())
            .with("spaces", verification.spaces())
            .with("pages", verification.pages())
            .with("entries", verification.entries())
            .with("liveBytes", verification.liveBytes())
            .with("freeBytes", verification.freeBytes())
            .with("indexesNotBuilt", notBuilt));
    return verification.isSound() ? ExitCode.OK : ExitCode.NEGATIVE;
  }
}
