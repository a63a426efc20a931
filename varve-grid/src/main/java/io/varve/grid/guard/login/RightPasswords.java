package io.varve.grid.guard.login;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.wildfly.security.credential.PasswordCredential;

/// Passwords that were right a short time ago. HTTP sends one with each request, and to hash it
/// takes some milliseconds.
///
/// (RIGHT-1) A password is known by a keyed digest, with a key of this process, and with the hash
/// that it was right for: once that is another one, it is compared again.
final class RightPasswords {
  private static final String MAC = "HmacSHA256";
  private static final int KEY_BYTES = 32;
  private static final int USERS_MAX = 256;
  private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final SecretKeySpec key;
  private final LongSupplier nanoClock;

  /// The last one of each user, those that came in last at the end. Guarded by itself.
  private final Map<String, Known> users = new LinkedHashMap<>();

  private record Known(Login login, long sinceNanos) {}

  /// A login by a name and a password.
  ///
  /// @param hash of the user
  record Login(String name, byte[] digest, PasswordCredential hash) {
    boolean isLike(Login other) {
      return MessageDigest.isEqual(digest, other.digest) && hash.equals(other.hash);
    }
  }

  RightPasswords() {
    this(System::nanoTime);
  }

  RightPasswords(LongSupplier nanoClock) {
    byte[] random = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(random);
    this.key = new SecretKeySpec(random, MAC);
    this.nanoClock = nanoClock;
  }

  /// A login by a password that may be right.
  Login login(String name, char[] password, PasswordCredential hash) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(key);
      mac.update(name.getBytes(StandardCharsets.UTF_8));
      mac.update((byte) 0);
      ByteBuffer bytes = ByteBuffer.allocate(password.length * Character.BYTES);
      bytes.asCharBuffer().put(CharBuffer.wrap(password));
      mac.update(bytes);
      return new Login(name, mac.doFinal(), hash);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("each JDK has " + MAC, e);
    }
  }

  /// Whether the password was right within the last minute.
  boolean has(Login login) {
    Known known;
    synchronized (users) {
      known = users.get(login.name());
    }
    return known != null
        && nanoClock.getAsLong() - known.sinceNanos() < KEPT_NANOS
        && known.login().isLike(login);
  }

  /// Remembers that the password is right.
  void add(Login login) {
    synchronized (users) {
      users.remove(login.name());
      users.put(login.name(), new Known(login, nanoClock.getAsLong()));
      if (users.size() > USERS_MAX) {
        users.remove(users.keySet().iterator().next());
      }
    }
  }
}
