package io.varve.grid.guard.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.sun.management.ThreadMXBean;
import io.varve.grid.security.Role;
import io.varve.grid.security.Users;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.infinispan.cli.user.UserTool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.wildfly.security.auth.principal.NamePrincipal;
import org.wildfly.security.auth.server.RealmIdentity;
import org.wildfly.security.credential.PasswordCredential;
import org.wildfly.security.evidence.PasswordGuessEvidence;
import org.wildfly.security.password.interfaces.ScramDigestPassword;

/// REALM-1, RIGHT-1: what a user who is not there has in common with those who are.
class MadeUpUserTest {
  private static final byte[] SECRET = new byte[32];

  @TempDir Path configuration;

  private UserRealm realm() throws Exception {
    var users = new Users(configuration);
    users.set("alice", "secret", Role.ADMIN);
    return realmOfFiles();
  }

  private UserRealm realmOfFiles() {
    var files =
        new UserFiles(
            configuration.resolve(UserTool.DEFAULT_USERS_PROPERTIES_FILE).toFile(),
            configuration.resolve(UserTool.DEFAULT_GROUPS_PROPERTIES_FILE).toFile(),
            /* isClear= */ false,
            "Roles",
            Users.REALM,
            System::nanoTime);
    return new UserRealm(files, Users.REALM, SECRET);
  }

  @Test
  void itHasTheHashesOfUsers() throws Exception {
    UserRealm realm = realm();
    String stored =
        Files.readAllLines(configuration.resolve(UserTool.DEFAULT_USERS_PROPERTIES_FILE)).stream()
            .filter(line -> line.startsWith("alice="))
            .findFirst()
            .orElseThrow()
            .replace("\\:", ":")
            .substring("alice=".length());
    List<String> algorithms =
        Arrays.stream(stored.split(";", -1))
            .filter(hash -> !hash.isBlank())
            .map(hash -> hash.split(":", 2)[0])
            .toList();
    assertThat(MadeUpUser.ALGORITHMS).isEqualTo(algorithms);
    for (String algorithm : algorithms) {
      var known = hash(realm, "alice", algorithm);
      var madeUp = hash(realm, "nobody", algorithm);
      assertThat(madeUp.getPassword().getClass().getInterfaces())
          .isEqualTo(known.getPassword().getClass().getInterfaces());
      if (known.getPassword() instanceof ScramDigestPassword scram) {
        var other = madeUp.getPassword(ScramDigestPassword.class);
        assertThat(other.getSalt()).hasSameSizeAs(scram.getSalt());
        assertThat(other.getDigest()).hasSameSizeAs(scram.getDigest());
        assertThat(other.getIterationCount()).isEqualTo(scram.getIterationCount());
      }
    }
  }

  private static PasswordCredential hash(UserRealm realm, String user, String algorithm)
      throws Exception {
    RealmIdentity identity = realm.getRealmIdentity(new NamePrincipal(user));
    return Objects.requireNonNull(identity.getCredential(PasswordCredential.class, algorithm));
  }

  /// A login that takes longer for names of nobody makes them known: memory that is allocated is a
  /// measure of the work that a test can rely on.
  @Test
  void itTakesAsMuchWorkAsAUser() throws Exception {
    UserRealm realm = realm();
    for (String algorithm : MadeUpUser.ALGORITHMS) {
      long user = Long.MAX_VALUE;
      long nobody = Long.MAX_VALUE;
      for (int round = 0; round < 5; round++) { // The JVM allocates some now and then.
        user = Math.min(user, allocated(realm, "alice", algorithm));
        nobody = Math.min(nobody, allocated(realm, "nobod", algorithm));
      }
      assertThat(user).as(algorithm).isCloseTo(nobody, withinPercentage(10));
    }
  }

  private static long allocated(UserRealm realm, String user, String algorithm) throws Exception {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    RealmIdentity identity = realm.getRealmIdentity(new NamePrincipal(user));
    assertThat(identity.exists()).isTrue();
    identity.getCredentialAcquireSupport(PasswordCredential.class, algorithm, null);
    for (int step = 0; step < 10; step++) {
      identity.getCredential(PasswordCredential.class, algorithm);
    }
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  /// One who has a role and no password is refused as one who is not there.
  @Test
  void aUserWithoutAPasswordIsMadeUpAsWell() throws Exception {
    realm();
    Path groups = configuration.resolve(UserTool.DEFAULT_GROUPS_PROPERTIES_FILE);
    Files.writeString(groups, Files.readString(groups) + "bob=admin\n");
    UserRealm realm = realmOfFiles();
    RealmIdentity bob = realm.getRealmIdentity(new NamePrincipal("bob"));
    assertThat(bob.getCredential(PasswordCredential.class)).isNotNull();
    assertThat(bob.verifyEvidence(guess(""))).isFalse();
  }

  private static PasswordGuessEvidence guess(String password) {
    return new PasswordGuessEvidence(password.toCharArray());
  }

  @Test
  void aPasswordIsRightUntilItIsChanged() throws Exception {
    UserRealm realm = realm();
    RealmIdentity alice = realm.getRealmIdentity(new NamePrincipal("alice"));
    for (int login = 0; login < 2; login++) {
      assertThat(alice.verifyEvidence(guess("wrong"))).isFalse();
      assertThat(alice.verifyEvidence(guess("secret"))).isTrue();
    }
    var right = new RightPasswords();
    var before = hash(realm, "alice", MadeUpUser.ALGORITHMS.getFirst());
    right.add(right.login("alice", "secret".toCharArray(), before));
    assertThat(right.has(right.login("alice", "secret".toCharArray(), before))).isTrue();
    assertThat(right.has(right.login("bob", "secret".toCharArray(), before))).isFalse();
    new Users(configuration).set("alice", "other", Role.ADMIN);
    var after = hash(realm(), "alice", MadeUpUser.ALGORITHMS.getFirst());
    assertThat(right.has(right.login("alice", "secret".toCharArray(), after))).isFalse();
  }

  @Test
  void aPasswordIsComparedAgainAfterAMinute() throws Exception {
    var nanos = new AtomicLong();
    var right = new RightPasswords(nanos::get);
    var hash = hash(realm(), "alice", MadeUpUser.ALGORITHMS.getFirst());
    var login = right.login("alice", "secret".toCharArray(), hash);
    right.add(login);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(59));
    assertThat(right.has(login)).isTrue();
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    assertThat(right.has(login)).isFalse();
  }
}
