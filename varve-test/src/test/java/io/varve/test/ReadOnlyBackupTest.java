package io.varve.test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Commit;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.admin.BackupOptions;
import io.varve.admin.Backups;
import io.varve.admin.RestoreTo;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A backup that its user may only read, files and directories, is restored as any other, and what
/// is restored can be written. Guards against opens for writing of what is only read, which only a
/// superuser may do: so the restore is made by another process, which is none's.
@Timeout(60)
class ReadOnlyBackupTest {
  private static final String OTHER_USER = "nobody";
  private static final int KEYS = 50;

  @TempDir Path directory;
  private Path backups;
  private Path single;
  private Path work;
  private Commit wanted;

  @BeforeEach
  void backUp() throws IOException {
    backups = directory.resolve("backups");
    work = Files.createDirectory(directory.resolve("work"));
    single = Files.createDirectory(directory.resolve("single")).resolve("one.vbk");
    StoreOptions options = Stores.tiny().archiveLog(true);
    try (Store store = Store.open(directory.resolve("origin"), options)) {
      Space space = store.space("s").with(Durability.POWER_LOSS);
      put(space, 0);
      Backups.at(backups).take(store);
      wanted = put(space, KEYS);
      put(space, 2 * KEYS);
      Backups.at(backups).take(store, BackupOptions.defaults());
      Backups.at(single).take(store);
    }
  }

  private static Commit put(Space space, int first) {
    Commit last = new Commit(0);
    for (int i = first; i < first + KEYS; i++) {
      last = space.put(Bytes.of(i), new byte[100]);
    }
    return last;
  }

  @AfterEach
  void letItBeDeleted() throws IOException {
    setModes(backups, "rwx------", "rw-------");
    setModes(single.getParent(), "rwx------", "rw-------");
  }

  @Test
  void whoMayOnlyReadABackupRestoresIt() throws Exception {
    setModes(backups, "r-x------", "r--------");
    setModes(single.getParent(), "r-x------", "r--------");
    assertThat(restore(backups, "newest", "2")).isEqualTo(3 * KEYS);
    assertThat(restore(backups, Long.toString(wanted.lsn()), "2")).isEqualTo(2 * KEYS);
    assertThat(restore(single, "newest", "1")).isEqualTo(3 * KEYS);
  }

  private static void setModes(Path made, String ofDirectories, String ofFiles) throws IOException {
    try (Stream<Path> files = Files.walk(made)) {
      List<Path> inner = new ArrayList<>(files.toList());
      Collections.reverse(inner);
      for (Path file : inner) {
        String mode = Files.isDirectory(file) ? ofDirectories : ofFiles;
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
      }
    }
  }

  /// Restores in another process, as another user where this is the superuser, who may write all.
  ///
  /// @param points how many there are
  /// @return how many keys the restored store holds
  private int restore(Path from, String state, String points) throws Exception {
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("setpriv", "--reuid=" + OTHER_USER, "--clear-groups"));
      giveToOther();
    }
    Path classes = directory.resolve("classes");
    Path engine = copyClasses(classes);
    Path target = work.resolve(from.getFileName() + state);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            classes + File.pathSeparator + engine,
            Restorer.class.getName(),
            from.toString(),
            target.toString(),
            state,
            points));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as("restore of %s to %s: %s", from, state, said).isZero();
    try (Stream<Path> files = Files.walk(target)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .as("%s", file)
            .isEqualTo("rw-------");
      }
    }
    return Integer.parseInt(said.strip());
  }

  private void giveToOther() throws IOException {
    UserPrincipal other =
        FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(OTHER_USER);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (Path given : List.of(backups, single.getParent(), work)) {
      try (Stream<Path> files = Files.walk(given)) {
        for (Path file : files.toList()) {
          Files.setOwner(file, other);
        }
      }
    }
  }

  /// Copies the engine, and the main class of the process, to where its user may read them.
  ///
  /// @return where the engine is
  private static Path copyClasses(Path target) throws Exception {
    Path engine = Path.of(Store.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    String main = Restorer.class.getName().replace('.', '/') + ".class";
    Path own = Path.of(Restorer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    copy(own.resolve(main), target.resolve(main));
    Path copied = target.resolveSibling("engine");
    try (Stream<Path> files = Files.walk(engine)) { // a directory, or a jar
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        copy(file, file.equals(engine) ? copied : copied.resolve(engine.relativize(file)));
      }
    }
    return copied;
  }

  private static void copy(Path file, Path target) throws IOException {
    Files.createDirectories(target.getParent());
    if (!Files.exists(target)) {
      Files.copy(file, target);
    }
  }

  /// Restores a store, and uses it.
  static final class Restorer {
    private Restorer() {}

    /// Arguments: where the backups are, where the store will be, `newest` or an LSN, and how many
    /// points there are. Prints how many keys the restored store holds.
    public static void main(String[] arguments) {
      Backups from = Backups.at(Path.of(arguments[0]));
      Path target = Path.of(arguments[1]);
      RestoreTo state =
          arguments[2].equals("newest")
              ? RestoreTo.newest()
              : RestoreTo.commit(new Commit(Long.parseLong(arguments[2])));
      if (from.points().size() != Integer.parseInt(arguments[3])) {
        throw new IllegalStateException("points: " + from.points());
      }
      from.restore(target, state);
      try (Store store = Store.open(target)) {
        Space space = store.space("s");
        System.out.println(space.count(Range.all()));
        space.with(Durability.POWER_LOSS).put(new byte[9], new byte[1]);
        store.verify().requireSound();
      }
    }
  }
}
