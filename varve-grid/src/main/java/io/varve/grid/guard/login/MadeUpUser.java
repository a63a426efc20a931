package io.varve.grid.guard.login;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.wildfly.security.auth.SupportLevel;
import org.wildfly.security.auth.server.RealmIdentity;
import org.wildfly.security.credential.Credential;
import org.wildfly.security.credential.PasswordCredential;
import org.wildfly.security.evidence.Evidence;
import org.wildfly.security.password.Password;
import org.wildfly.security.password.interfaces.DigestPassword;
import org.wildfly.security.password.interfaces.ScramDigestPassword;

/// What a name that no user has looks like to a login (REALM-1): a user with hashes of a password
/// that nobody knows. Its salts are made of a secret of the node and of the name, as RFC 5802
/// recommends (9, Security Considerations): they are the same each time that a client asks.
final class MadeUpUser implements RealmIdentity {
  /// As `varve user add` hashes a password, in that order: the first is what a password that is
  /// sent is compared with.
  static final List<String> ALGORITHMS =
      List.of(
          ScramDigestPassword.ALGORITHM_SCRAM_SHA_1,
          ScramDigestPassword.ALGORITHM_SCRAM_SHA_256,
          ScramDigestPassword.ALGORITHM_SCRAM_SHA_384,
          ScramDigestPassword.ALGORITHM_SCRAM_SHA_512,
          DigestPassword.ALGORITHM_DIGEST_MD5,
          DigestPassword.ALGORITHM_DIGEST_SHA,
          DigestPassword.ALGORITHM_DIGEST_SHA_256,
          DigestPassword.ALGORITHM_DIGEST_SHA_384,
          DigestPassword.ALGORITHM_DIGEST_SHA_512);

  private static final String MAC = "HmacSHA512"; // as long as the longest hash

  private final Principal name;
  private final String realm;
  private final SecretKeySpec secret;

  /// @param realm that the hashes of users contain
  MadeUpUser(Principal name, String realm, byte[] secret) {
    this.name = name;
    this.realm = realm;
    this.secret = new SecretKeySpec(secret, MAC);
  }

  @Override
  public Principal getRealmIdentityPrincipal() {
    return name;
  }

  /// So that no login learns otherwise.
  @Override
  public boolean exists() {
    return true;
  }

  @Override
  public SupportLevel getCredentialAcquireSupport(
      Class<? extends Credential> type,
      @Nullable String algorithm,
      @Nullable AlgorithmParameterSpec parameters) {
    return support(getCredential(type, algorithm, parameters) != null);
  }

  @Override
  public SupportLevel getEvidenceVerifySupport(
      Class<? extends Evidence> type, @Nullable String algorithm) {
    return support(hash(ALGORITHMS.getFirst()).canVerify(type, algorithm));
  }

  private static SupportLevel support(boolean isSupported) {
    return isSupported ? SupportLevel.SUPPORTED : SupportLevel.UNSUPPORTED;
  }

  @Override
  public <C extends Credential> @Nullable C getCredential(Class<C> type) {
    return getCredential(type, null, null);
  }

  @Override
  public <C extends Credential> @Nullable C getCredential(
      Class<C> type, @Nullable String algorithm) {
    return getCredential(type, algorithm, null);
  }

  @Override
  public <C extends Credential> @Nullable C getCredential(
      Class<C> type, @Nullable String algorithm, @Nullable AlgorithmParameterSpec parameters) {
    for (String known : ALGORITHMS) {
      if (algorithm == null || algorithm.equals(known)) {
        PasswordCredential hash = hash(known);
        if (hash.matches(type, algorithm, parameters)) {
          return type.cast(hash);
        }
      }
    }
    return null;
  }

  /// A password is compared with the hash, as that of a user is ([UserRealm]).
  @Override
  public boolean verifyEvidence(Evidence evidence) {
    return false;
  }

  private PasswordCredential hash(String algorithm) {
    int bytes =
        switch (algorithm) {
          case DigestPassword.ALGORITHM_DIGEST_MD5 -> 16;
          case ScramDigestPassword.ALGORITHM_SCRAM_SHA_1, DigestPassword.ALGORITHM_DIGEST_SHA -> 20;
          case ScramDigestPassword.ALGORITHM_SCRAM_SHA_256,
              DigestPassword.ALGORITHM_DIGEST_SHA_256 ->
              32;
          case ScramDigestPassword.ALGORITHM_SCRAM_SHA_384,
              DigestPassword.ALGORITHM_DIGEST_SHA_384 ->
              48;
          default -> 64;
        };
    byte[] hash = secret(algorithm, "hash", bytes);
    Password password =
        algorithm.startsWith("scram")
            ? ScramDigestPassword.createRaw(
                algorithm,
                hash,
                secret(algorithm, "salt", ScramDigestPassword.DEFAULT_SALT_SIZE),
                ScramDigestPassword.DEFAULT_ITERATION_COUNT)
            : DigestPassword.createRaw(algorithm, name.getName(), realm, hash);
    return new PasswordCredential(password);
  }

  private byte[] secret(String algorithm, String use, int bytes) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(secret);
      mac.update((algorithm + '\0' + use + '\0' + name.getName()).getBytes(UTF_8));
      return Arrays.copyOf(mac.doFinal(), bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("each JDK has " + MAC, e);
    }
  }
}
