package io.varve.grid.node;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;

/// Files and directories that only their owner reads, where the file system knows owners.
public final class PrivateFiles {
  private static final boolean KNOWS_OWNERS =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");

  private PrivateFiles() {}

  /// Makes an empty file, unless there is one.
  public static void create(Path file) throws IOException {
    if (!Files.exists(file)) {
      createDirectories(Objects.requireNonNull(file.getParent(), "a directory of its own"));
      Files.createFile(file, attributes(FILE));
    }
  }

  /// Makes a directory, and those above it that are not there.
  public static void createDirectories(Path directory) throws IOException {
    Files.createDirectories(directory, attributes(DIRECTORY));
  }

  /// Makes a directory, or takes one that an earlier version has made from all but its owner.
  static void ownDirectory(Path directory) throws IOException {
    try {
      Files.createDirectory(directory, attributes(DIRECTORY));
    } catch (FileAlreadyExistsException e) {
      if (KNOWS_OWNERS && !Files.getPosixFilePermissions(directory).equals(DIRECTORY)) {
        Files.setPosixFilePermissions(directory, DIRECTORY);
      }
    }
  }

  /// Lets the owner of a file write it.
  public static void makeWritable(Path file) throws IOException {
    if (KNOWS_OWNERS) {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
      if (permissions.add(PosixFilePermission.OWNER_WRITE)) {
        Files.setPosixFilePermissions(file, permissions);
      }
    }
  }

  /// What a file is made with.
  static FileAttribute<?>[] ofFile() {
    return attributes(FILE);
  }

  private static FileAttribute<?>[] attributes(Set<PosixFilePermission> permissions) {
    return KNOWS_OWNERS
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : new FileAttribute<?>[0];
  }
}
