package io.varve.control.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Where the control socket of a store is: in a directory of its own within that of the store,
/// which no other user may enter. If that path is too long for a socket, the socket is in such a
/// directory of the temporary folder. A file then names its path.
///
/// That file names itself as well, by the key that the file system has for it. A copy of the
/// directory, made while a process has it open, has such a file too. There it leads nowhere: the
/// process has another store open than the copy.
public final class SocketPlace {
  /// Systems have 104 to 108 bytes for the name of a socket, with a zero at the end.
  private static final int PATH_BYTES_MAX = 100;

  private static final Set<PosixFilePermission> OWNER_ENTERS =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OWNER_WRITES =
      PosixFilePermissions.fromString("rw-------");

  /// Between the key of the address file and the path of the socket.
  private static final char KEY_END = '\n';

  /// A connection that the server has not accepted yet.
  private static final int BACKLOG = 16;

  private final Path directory;
  private final Path addressFile;
  private final Path within;

  /// Of a store.
  ///
  /// @param store its directory
  public SocketPlace(Path store) {
    directory = store.toAbsolutePath().resolve("control");
    addressFile = directory.resolve("address");
    within = directory.resolve("socket");
  }

  /// Listens for the owner of this process alone.
  ///
  /// @throws IOException if that cannot be made sure, or a process listens there already
  Listening listen() throws IOException {
    makePrivate(directory);
    Path socket = socket();
    if (socket != null && isAnswered(socket)) {
      throw new IOException("the store has a control socket already: socket=" + socket);
    }
    removeAll(); // of a process that was killed
    makePrivate(directory);
    Path chosen = within;
    if (within.toString().getBytes(UTF_8).length > PATH_BYTES_MAX) {
      chosen =
          Files.createTempDirectory("varve-", PosixFilePermissions.asFileAttribute(OWNER_ENTERS))
              .resolve("socket");
      Files.createFile(addressFile, PosixFilePermissions.asFileAttribute(OWNER_WRITES));
      Files.writeString(addressFile, addressKey() + KEY_END + chosen);
    }
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      server.bind(UnixDomainSocketAddress.of(chosen), BACKLOG);
      Files.setPosixFilePermissions(chosen, OWNER_WRITES);
      return new Listening(server, chosen, Files.getOwner(chosen));
    } catch (IOException | RuntimeException e) {
      try (server) {
        removeAll();
      }
      throw e;
    }
  }

  private static void makePrivate(Path made) throws IOException {
    if (Files.getFileAttributeView(made, PosixFileAttributeView.class) == null) {
      throw new IOException(
          "a control socket needs a file system with owners and permissions: directory=" + made);
    }
    if (!Files.isDirectory(made, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(made, PosixFilePermissions.asFileAttribute(OWNER_ENTERS));
    }
    Files.setPosixFilePermissions(made, OWNER_ENTERS); // fails if another user has made it
  }

  /// The socket, or null if there is none.
  public @Nullable Path socket() throws IOException {
    Path named = within;
    if (Files.isRegularFile(addressFile, LinkOption.NOFOLLOW_LINKS)) {
      String address = Files.readString(addressFile);
      String own = addressKey() + KEY_END;
      if (!address.startsWith(own)) {
        return null; // copied with the directory, or not written yet
      }
      named = Path.of(address.substring(own.length()));
    }
    return Files.exists(named, LinkOption.NOFOLLOW_LINKS) ? named : null;
  }

  /// What the address file is to its file system. It stays when the directory is renamed, and no
  /// copy has the same.
  private String addressKey() throws IOException {
    return String.valueOf(
        Files.readAttributes(addressFile, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
            .fileKey());
  }

  /// The user whose socket it has to be.
  public UserPrincipal owner() throws IOException {
    return Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS);
  }

  private static boolean isAnswered(Path socket) {
    try (var _ = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      return true;
    } catch (IOException e) {
      return false; // left by a process that was killed
    }
  }

  /// Removes the socket and what leads to it.
  void removeAll() throws IOException {
    Path socket = socket();
    if (socket != null && !socket.equals(within)) {
      Files.delete(socket);
      Files.delete(socket.getParent());
    }
    Files.deleteIfExists(within);
    Files.deleteIfExists(addressFile);
    Files.deleteIfExists(directory);
  }

  /// A socket that is listened to.
  ///
  /// @param server accepts connections
  /// @param socket its file
  /// @param owner the user that may connect
  record Listening(ServerSocketChannel server, Path socket, UserPrincipal owner) {}
}
