package io.varve.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Store;
import io.varve.VarveException;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Shutdown;
import io.varve.cli.transfer.FileTree;
import io.varve.control.ControlSocket;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/// The process that is killed. Loads a tree and writes an [AcknowledgementLine] for each file,
/// without a buffer: what is acknowledged here has left the process. Never ends without a kill
/// while its parent lives, so that the kill always finds it.
final class LoadProcess {
  private final OutputStream out = new FileOutputStream(FileDescriptor.out);
  private final ReentrantLock lock = new ReentrantLock();

  private LoadProcess() {}

  /// Arguments: the store's directory, the tree, the number of threads.
  public static void main(String[] arguments) {
    try {
      run(arguments);
    } catch (IOException | UncheckedIOException | VarveException e) {
      System.err.println("varve: the loading process ended: " + e.getMessage());
      System.exit(ExitCode.STORE);
    }
  }

  private static void run(String[] arguments) throws IOException {
    Store store = DemoSpaces.open(Path.of(arguments[0]));
    try (Shutdown.Hook _ = Shutdown.onSignal(store::close);
        store;
        ControlSocket _ = ControlSocket.openIfPossible(store, Path.of(arguments[0]));
        FileTree tree = FileTree.of(Path.of(arguments[1]), Path.of(arguments[0]))) {
      new LoadProcess().load(store, tree, Integer.parseInt(arguments[2]));
    }
  }

  private void load(Store store, FileTree tree, int threads) throws IOException {
    DemoSpaces spaces = DemoSpaces.of(store);
    write(AcknowledgementLine.READY + "\n");
    new TreeLoader(
            spaces,
            tree,
            DemoSource.items(tree),
            item -> write(AcknowledgementLine.of(item.path())))
        .load(threads);
    int endOfInput = System.in.read(); // Waits for the kill, or for the end of the parent.
    assert endOfInput < 0;
  }

  private void write(String line) throws IOException {
    byte[] bytes = line.getBytes(UTF_8);
    lock.lock();
    try {
      out.write(bytes);
    } finally {
      lock.unlock();
    }
  }
}
