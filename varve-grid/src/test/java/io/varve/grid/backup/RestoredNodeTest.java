package io.varve.grid.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.grid.node.NodeException;
import io.varve.grid.node.NodeLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestoredNodeTest {
  @TempDir Path directory;
  private Path backup;

  @BeforeEach
  void makeBackup() throws IOException {
    backup = directory.resolve("backup");
    Files.createDirectories(backup.resolve("data"));
    Files.createDirectories(backup.resolve("conf"));
    Files.writeString(backup.resolve("conf/users"), "alice");
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.toList();
    }
  }

  @Test
  void nodeHasTheFilesOfItsBackup() throws IOException {
    Path data = directory.resolve("new/node");
    assertThat(RestoredNode.make(backup, data, null))
        .isEqualTo(new RestoredNode(0, "alice".length()));
    assertThat(data.resolve("conf/users")).hasContent("alice");
  }

  /// It would copy the copies, until the disk is full.
  @Test
  void nodeInsideItsBackupIsRefused() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), backup);
    List<Path> before = files();
    for (Path inside :
        List.of(backup.resolve("node"), backup.resolve("data/a/b"), link.resolve("node"))) {
      assertThatThrownBy(() -> RestoredNode.make(backup, inside, null))
          .isInstanceOf(NodeException.class)
          .hasMessageContaining("inside the backup");
      assertThatThrownBy(() -> RestoredNode.make(link, inside, null))
          .isInstanceOf(NodeException.class)
          .hasMessageContaining("inside the backup");
    }
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void nodeNextToItsBackupIsMade() throws IOException {
    Path data = backup.resolve("../backup2");
    assertThat(RestoredNode.make(backup, data, null).bytes()).isEqualTo("alice".length());
    assertThat(directory.resolve("backup2/conf/users")).exists();
  }

  /// Anybody but root could not open the stores, nor force the files.
  @Test
  void whatIsRestoredCanBeWritten() throws IOException {
    Path file = backup.resolve("conf/users");
    Set<PosixFilePermission> readOnly = PosixFilePermissions.fromString("r--r-----");
    Files.setPosixFilePermissions(file, readOnly);
    Path data = directory.resolve("node");
    RestoredNode.make(backup, data, null);
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(data.resolve("conf/users"))))
        .isEqualTo("rw-r-----");
    assertThat(Files.getPosixFilePermissions(file)).isEqualTo(readOnly);
  }

  /// RESTORE-3
  @Test
  void aRestoreLeavesThePartOfAnotherAlone() throws IOException {
    Path data = directory.resolve("node");
    Path part = Files.createDirectory(directory.resolve("node.part"));
    Path copied = Files.writeString(part.resolve("copied"), "by another restore");
    try (NodeLock _ = NodeLock.take(part, "")) {
      assertThatThrownBy(() -> RestoredNode.make(backup, data, null))
          .isInstanceOf(NodeException.class)
          .hasMessageContaining("another restore");
      assertThat(copied).exists();
    }
    RestoredNode.make(backup, data, null); // The other was killed.
    assertThat(data.resolve("conf/users")).exists();
    assertThat(data.resolve("copied")).doesNotExist();
    assertThat(part).doesNotExist();
  }
}
