package io.varve.grid.security;

import io.varve.grid.node.NodeException;
import io.varve.grid.node.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/// The key and certificate that a node shows to its clients.
///
/// @param keystore absolute, of type PKCS12 or JKS
/// @param password of the keystore and its key
/// @param selfMade whether only the node vouches for the certificate
/// @param unnamed names that clients may call the node by, and that its own certificate lacks,
///   since it was made before they were configured
public record Tls(Path keystore, String password, boolean selfMade, Set<String> unnamed) {
  private static final String ALIAS = "varve";
  private static final int PASSWORD_BYTES = 24;

  /// A key that the user has.
  static Tls of(Path keystore, String password) {
    var tls = new Tls(keystore.toAbsolutePath(), password, false, Set.of());
    tls.certificate(); // Now, so that what is wrong with it is said before a node starts.
    return tls;
  }

  /// The key that a node has made for itself, made now if there is none. The certificate is next to
  /// it, for clients to trust.
  ///
  /// @param configuration the directory `conf` of the node
  /// @param names that clients may call the node, the usual one first
  static Tls selfMade(Path configuration, List<String> names) {
    Path keystore = configuration.resolve("self-made.p12").toAbsolutePath();
    Path passwordFile = configuration.resolve("self-made.password");
    try {
      if (!Files.exists(keystore)) {
        PrivateFiles.create(passwordFile);
        Files.writeString(passwordFile, randomPassword());
        char[] password = Files.readString(passwordFile).toCharArray();
        // Under another name first: a start that is broken off leaves no half of a keystore.
        Path draft = configuration.resolve("self-made.p12.new");
        PrivateFiles.create(draft);
        SelfMadeCertificate.write(draft, password, ALIAS, names);
        Files.move(draft, keystore, StandardCopyOption.ATOMIC_MOVE);
      }
      var known = new Tls(keystore, Files.readString(passwordFile), true, Set.of());
      var tls =
          new Tls(
              keystore,
              known.password(),
              true,
              SelfMadeCertificate.missing((X509Certificate) known.certificate(), names));
      Files.writeString(configuration.resolve("self-made.pem"), tls.pem());
      return tls;
    } catch (IOException | GeneralSecurityException e) {
      throw new NodeException("cannot make a certificate: keystore=" + keystore, e);
    }
  }

  private static String randomPassword() {
    byte[] bytes = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private Certificate certificate() {
    try {
      KeyStore store = KeyStore.getInstance(keystore.toFile(), password.toCharArray());
      for (String alias : Collections.list(store.aliases())) {
        if (store.isKeyEntry(alias)) {
          return store.getCertificate(alias);
        }
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new NodeException(
          "cannot read the keystore: file=" + keystore + ", reason=" + e.getMessage(), e);
    }
    throw new NodeException("the keystore holds no key: file=" + keystore);
  }

  private String pem() throws GeneralSecurityException {
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate().getEncoded())
        + "\n-----END CERTIFICATE-----\n";
  }

  /// The digest by which a client can distinguish the certificate from others.
  public String fingerprint() {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate().getEncoded());
      return HexFormat.of().formatHex(digest);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
