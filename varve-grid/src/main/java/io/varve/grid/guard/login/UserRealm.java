package io.varve.grid.guard.login;

import java.security.Principal;
import java.security.Provider;
import java.security.spec.AlgorithmParameterSpec;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.wildfly.security.auth.SupportLevel;
import org.wildfly.security.auth.principal.NamePrincipal;
import org.wildfly.security.auth.realm.CacheableSecurityRealm;
import org.wildfly.security.auth.server.ModifiableRealmIdentityIterator;
import org.wildfly.security.auth.server.ModifiableSecurityRealm;
import org.wildfly.security.auth.server.RealmIdentity;
import org.wildfly.security.auth.server.RealmUnavailableException;
import org.wildfly.security.authz.Attributes;
import org.wildfly.security.authz.AuthorizationIdentity;
import org.wildfly.security.credential.Credential;
import org.wildfly.security.credential.PasswordCredential;
import org.wildfly.security.evidence.Evidence;
import org.wildfly.security.evidence.PasswordGuessEvidence;
import org.wildfly.security.password.WildFlyElytronPasswordProvider;

/// The users of a node, as logins of all protocols ask for them.
///
/// - REALM-1 A name that no user has is refused as a wrong password is: by the same answer, at the
///   same step, after the same work ([MadeUpUser]). So nobody finds out who has a password here.
/// - REALM-2 A password is compared with a hash that is stored, or with one that was right a short
///   time ago ([RightPasswords]). Infinispan's own cache of users compares the hash code of an
///   array, of 32 bits. Passwords with the code 0 are easily made, and each was right for all
///   users.
public final class UserRealm implements CacheableSecurityRealm, ModifiableSecurityRealm {
  private final UserFiles files;
  private final String name;
  private final byte[] secret;
  private final RightPasswords right = new RightPasswords();

  /// @param name of the realm, that hashes contain
  /// @param secret of the node, for the salts of names that no user has
  public UserRealm(UserFiles files, String name, byte[] secret) {
    this.files = files;
    this.name = name;
    this.secret = secret;
  }

  private static Provider[] passwords() {
    return new Provider[] {WildFlyElytronPasswordProvider.getInstance()};
  }

  @Override
  public RealmIdentity getRealmIdentity(Principal principal) throws RealmUnavailableException {
    files.look();
    RealmIdentity stored = files.current().getRealmIdentity(principal);
    if (!(principal instanceof NamePrincipal)) {
      return stored;
    }
    var madeUp = new MadeUpUser(principal, name, secret);
    return new User(hasPassword(stored) ? stored : madeUp, madeUp);
  }

  @Override
  public SupportLevel getCredentialAcquireSupport(
      Class<? extends Credential> type,
      @Nullable String algorithm,
      @Nullable AlgorithmParameterSpec parameters) {
    return files.current().getCredentialAcquireSupport(type, algorithm, parameters);
  }

  @Override
  public SupportLevel getEvidenceVerifySupport(
      Class<? extends Evidence> type, @Nullable String algorithm) {
    return files.current().getEvidenceVerifySupport(type, algorithm);
  }

  @Override
  public ModifiableRealmIdentityIterator getRealmIdentityIterator() {
    files.look();
    return files.current().getRealmIdentityIterator();
  }

  /// Does nothing: nothing of a user is kept.
  @Override
  public void registerIdentityChangeListener(Consumer<Principal> listener) {}

  private static boolean hasPassword(RealmIdentity user) throws RealmUnavailableException {
    try {
      return user.exists() && user.getCredential(PasswordCredential.class) != null;
    } catch (NullPointerException _) {
      return false; // Infinispan fails so at a name that is in the file of roles alone.
    }
  }

  /// A user who is there, or is made up. Hashes are made up in both cases, as that takes time.
  private final class User implements RealmIdentity {
    private final RealmIdentity user;
    private final MadeUpUser madeUp;

    User(RealmIdentity user, MadeUpUser madeUp) {
      this.user = user;
      this.madeUp = madeUp;
    }

    @Override
    public boolean verifyEvidence(Evidence evidence) throws RealmUnavailableException {
      PasswordCredential hash = getCredential(PasswordCredential.class);
      if (!(evidence instanceof PasswordGuessEvidence guess) || hash == null) {
        return user.verifyEvidence(evidence);
      }
      RightPasswords.Login login =
          right.login(user.getRealmIdentityPrincipal().getName(), guess.getGuess(), hash);
      if (right.has(login)) {
        return true;
      }
      boolean isRight = hash.canVerify(guess) && hash.verify(UserRealm::passwords, guess);
      if (isRight) {
        right.add(login);
      }
      return isRight;
    }

    @Override
    public Principal getRealmIdentityPrincipal() {
      return user.getRealmIdentityPrincipal();
    }

    @Override
    public boolean exists() throws RealmUnavailableException {
      return user.exists();
    }

    @Override
    public SupportLevel getCredentialAcquireSupport(
        Class<? extends Credential> type,
        @Nullable String algorithm,
        @Nullable AlgorithmParameterSpec parameters)
        throws RealmUnavailableException {
      SupportLevel ofNobody = madeUp.getCredentialAcquireSupport(type, algorithm, parameters);
      return user.equals(madeUp)
          ? ofNobody
          : user.getCredentialAcquireSupport(type, algorithm, parameters);
    }

    @Override
    public SupportLevel getEvidenceVerifySupport(
        Class<? extends Evidence> type, @Nullable String algorithm)
        throws RealmUnavailableException {
      SupportLevel ofNobody = madeUp.getEvidenceVerifySupport(type, algorithm);
      return user.equals(madeUp) ? ofNobody : user.getEvidenceVerifySupport(type, algorithm);
    }

    @Override
    public <C extends Credential> @Nullable C getCredential(Class<C> type)
        throws RealmUnavailableException {
      C ofNobody = madeUp.getCredential(type);
      return user.equals(madeUp) ? ofNobody : user.getCredential(type);
    }

    @Override
    public <C extends Credential> @Nullable C getCredential(
        Class<C> type, @Nullable String algorithm) throws RealmUnavailableException {
      C ofNobody = madeUp.getCredential(type, algorithm);
      return user.equals(madeUp) ? ofNobody : user.getCredential(type, algorithm);
    }

    @Override
    public <C extends Credential> @Nullable C getCredential(
        Class<C> type, @Nullable String algorithm, @Nullable AlgorithmParameterSpec parameters)
        throws RealmUnavailableException {
      C ofNobody = madeUp.getCredential(type, algorithm, parameters);
      return user.equals(madeUp) ? ofNobody : user.getCredential(type, algorithm, parameters);
    }

    @Override
    public AuthorizationIdentity getAuthorizationIdentity() throws RealmUnavailableException {
      return user.getAuthorizationIdentity();
    }

    @Override
    public @Nullable Attributes getAttributes() throws RealmUnavailableException {
      return user.getAttributes();
    }
  }
}
