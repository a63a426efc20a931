package io.varve.grid.guard.login;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.infinispan.server.security.realm.EncryptedPropertiesSecurityRealm;
import org.jspecify.annotations.Nullable;
import org.wildfly.security.auth.principal.NamePrincipal;
import org.wildfly.security.auth.server.RealmIdentity;
import org.wildfly.security.auth.server.RealmUnavailableException;
import org.wildfly.security.authz.Attributes;
import org.wildfly.security.credential.PasswordCredential;

/// The users of a realm, in a file of passwords and one of roles, as they are now. Safe for
/// threads.
///
/// (USERS-2) A file that takes the place of another one is read immediately. One that is written in
/// its place is read when it has not changed for [#SETTLED_MILLIS]: half of it would be without
/// users who are in it. One that cannot be read changes nothing, and is tried again as long as it
/// is there: who may read it can change without its time.
public final class UserFiles {
  static final int SETTLED_MILLIS = 500;

  private static final System.Logger LOGGER = System.getLogger(UserFiles.class.getName());

  private final File users;
  private final File roles;
  private final boolean isClear;
  private final String rolesAttribute;
  private final String realm;
  private final LongSupplier nanoClock;

  private volatile Loaded loaded;

  // Guarded by this.
  private Stamp taken; // what was read
  private Stamp seen; // what was there when that was looked at last, and since when
  private long seenNanos;
  private @Nullable Stamp refused; // what could not be read, and is in the log

  /// What was read, and what was asked of it.
  private record Loaded(EncryptedPropertiesSecurityRealm realm, Map<String, Object> states) {}

  /// By which both files differ from what they were.
  private record Stamp(FileStamp users, FileStamp roles) {
    /// Whether each file that is another one has taken the place of what was there.
    boolean replaces(Stamp before) {
      return users.replaces(before.users) && roles.replaces(before.roles);
    }
  }

  private record FileStamp(@Nullable Object key, @Nullable FileTime modified, long bytes) {
    private static final FileStamp MISSING = new FileStamp(null, null, -1);

    static FileStamp of(File file) throws IOException {
      try {
        var attributes = Files.readAttributes(file.toPath(), BasicFileAttributes.class);
        return new FileStamp(
            attributes.fileKey(), attributes.lastModifiedTime(), attributes.size());
      } catch (NoSuchFileException _) {
        return MISSING;
      }
    }

    boolean replaces(FileStamp before) {
      return equals(before) || (key != null && !key.equals(before.key));
    }
  }

  /// A user of the files: two are equal if they have the same passwords and roles.
  private record State(List<@Nullable PasswordCredential> passwords, Set<String> roles) {}

  /// @param rolesAttribute by which a server asks for roles
  /// @param realm that hashes contain
  /// @throws IllegalStateException if the files cannot be read
  public UserFiles(
      File users,
      File roles,
      boolean isClear,
      String rolesAttribute,
      String realm,
      LongSupplier nanoClock) {
    this.users = users;
    this.roles = roles;
    this.isClear = isClear;
    this.rolesAttribute = rolesAttribute;
    this.realm = realm;
    this.nanoClock = nanoClock;
    try {
      this.taken = stamp();
      this.seen = taken;
      this.loaded = load();
    } catch (IOException | RuntimeException e) {
      throw new IllegalStateException("cannot read the users: file=" + users, e);
    }
  }

  private Stamp stamp() throws IOException {
    return new Stamp(FileStamp.of(users), FileStamp.of(roles));
  }

  private Loaded load() throws IOException {
    EncryptedPropertiesSecurityRealm read =
        EncryptedPropertiesSecurityRealm.builder()
            .setPlainText(isClear)
            .setGroupsAttribute(rolesAttribute)
            .setDefaultRealm(realm)
            .build();
    read.load(bytes(users), bytes(roles));
    return new Loaded(read, new ConcurrentHashMap<>());
  }

  private static InputStream bytes(File file) throws IOException {
    try {
      return new ByteArrayInputStream(Files.readAllBytes(file.toPath()));
    } catch (NoSuchFileException _) {
      return InputStream.nullInputStream();
    }
  }

  /// Takes the files as they are, if they have changed (USERS-2).
  synchronized void look() {
    try {
      Stamp now = stamp();
      if (now.equals(taken)) {
        refused = null;
        return;
      }
      if (!now.equals(seen)) {
        seen = now;
        seenNanos = nanoClock.getAsLong();
      }
      boolean isSettled =
          nanoClock.getAsLong() - seenNanos >= TimeUnit.MILLISECONDS.toNanos(SETTLED_MILLIS);
      if (isSettled || (now.replaces(taken) && !now.equals(refused))) {
        seenNanos = nanoClock.getAsLong(); // What cannot be read is not tried for each login.
        loaded = load();
        taken = now;
        refused = null;
      }
    } catch (IOException | RuntimeException e) {
      warn(e);
    }
  }

  private void warn(Exception e) {
    if (!seen.equals(refused)) {
      refused = seen;
      LOGGER.log(
          System.Logger.Level.WARNING,
          "cannot read the users: file="
              + users
              + "; the users of before may log in until the file is put right",
          e);
    }
  }

  /// The realm of the users that were read last.
  EncryptedPropertiesSecurityRealm current() {
    return loaded.realm();
  }

  /// What each user is now, also if it is asked for later: equal to what it is then if it has the
  /// same passwords and roles.
  Function<String, Optional<Object>> now() {
    Loaded now = loaded;
    return name -> state(now, name);
  }

  /// What a user is now, as [#now] has it.
  Optional<Object> state(String name) {
    return state(loaded, name);
  }

  private static Optional<Object> state(Loaded now, String name) {
    Object known = now.states().get(name);
    if (known != null) {
      return Optional.of(known);
    }
    RealmIdentity user = now.realm().getRealmIdentity(new NamePrincipal(name));
    try {
      if (!user.exists()) {
        return Optional.empty();
      }
      Object state = new State(passwords(user), roles(user));
      now.states().put(name, state);
      return Optional.of(state);
    } catch (RealmUnavailableException e) {
      throw new IllegalStateException("what was read is there", e);
    }
  }

  private static List<@Nullable PasswordCredential> passwords(RealmIdentity user)
      throws RealmUnavailableException {
    List<@Nullable PasswordCredential> passwords = new ArrayList<>();
    try {
      passwords.add(user.getCredential(PasswordCredential.class));
      for (String algorithm : MadeUpUser.ALGORITHMS) {
        passwords.add(user.getCredential(PasswordCredential.class, algorithm));
      }
    } catch (NullPointerException _) {
      // Infinispan fails so at a name that is in the file of roles alone.
    }
    return passwords;
  }

  private static Set<String> roles(RealmIdentity user) throws RealmUnavailableException {
    Set<String> roles = new HashSet<>();
    Attributes attributes = user.getAuthorizationIdentity().getAttributes();
    for (Attributes.Entry entry : attributes.entries()) {
      entry.forEach(role -> roles.add(Objects.toString(role)));
    }
    return roles;
  }
}
