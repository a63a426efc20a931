package io.varve.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Durability;
import io.varve.cli.console.CommandException;
import io.varve.cli.transfer.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// Loads files from many threads: each file with its index entries and facts in one transaction
/// that survives loss of power when it is acknowledged.
final class TreeLoader {
  /// Notified of each file whose transaction has been committed; called by many threads.
  interface Acknowledgements {
    void acknowledge(FileTree.Item item) throws IOException;
  }

  private final DemoSpaces spaces;
  private final FileTree tree;
  private final List<FileTree.Item> items;
  private final Acknowledgements acknowledgements;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicBoolean stopped = new AtomicBoolean();

  TreeLoader(
      DemoSpaces spaces,
      FileTree tree,
      List<FileTree.Item> items,
      Acknowledgements acknowledgements) {
    this.spaces = spaces;
    this.tree = tree;
    this.items = items;
    this.acknowledgements = acknowledgements;
  }

  /// Loads all files that are not there yet, or stops between two when it is asked to.
  void load(int threads) {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var workers = new ArrayList<Future<?>>();
      for (int i = 0; i < threads; i++) {
        workers.add(executor.submit(this::work));
      }
      for (Future<?> worker : workers) {
        await(worker);
      }
    } finally {
      stop();
    }
  }

  private static void await(Future<?> worker) {
    try {
      worker.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    } catch (InterruptedException e) {
      throw CommandException.interrupted();
    }
  }

  /// Lets each thread finish its file and take no other.
  void stop() {
    stopped.set(true);
  }

  private void work() {
    try {
      for (int i = next.getAndIncrement();
          i < items.size() && !stopped.get();
          i = next.getAndIncrement()) {
        load(items.get(i));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      stop(); // The last file was taken, or this thread failed: the others need not begin another.
    }
  }

  private void load(FileTree.Item item) throws IOException {
    byte[] path = item.path().getBytes(UTF_8);
    if (spaces.files().contains(path)) {
      return;
    }
    byte[] content = tree.read(item);
    Map<String, Integer> counts = WordCounter.count(content);
    byte[] facts = FileFacts.of(content, counts).encode();
    spaces
        .store()
        .transact(
            Durability.POWER_LOSS,
            transaction -> {
              transaction.put(spaces.files(), path, content);
              transaction.put(spaces.stats(), path, facts);
              counts.forEach((word, count) ->
                  transaction.put(spaces.words(), IndexKey.of(word, path), Varint.encode(count)));
            });
    acknowledgements.acknowledge(item);
  }
}
