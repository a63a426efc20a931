package io.varve.grid.security;

import io.netty.util.NetUtil;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.security.auth.x500.X500Principal;
import org.wildfly.security.x500.GeneralName;
import org.wildfly.security.x500.cert.SubjectAlternativeNamesExtension;
import org.wildfly.security.x500.cert.X509CertificateBuilder;

/// A key and a certificate for it that no authority vouches for, with all names and addresses that
/// clients may call a node by: clients compare the one that they used.
final class SelfMadeCertificate {
  private static final int KEY_BITS = 2_048;
  private static final int SERIAL_BITS = 64;
  private static final int YEARS = 10;

  private SelfMadeCertificate() {}

  /// Writes a keystore of type PKCS12.
  ///
  /// @param names names of hosts and addresses, of which the first is that of the owner
  static void write(Path keystore, char[] password, String alias, List<String> names)
      throws IOException, GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(KEY_BITS);
    KeyPair pair = generator.generateKeyPair();
    ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
    var owner = new X500Principal("CN=" + names.getFirst());
    X509Certificate certificate =
        new X509CertificateBuilder()
            .setNotValidBefore(now)
            .setNotValidAfter(now.plusYears(YEARS))
            .setSerialNumber(new BigInteger(SERIAL_BITS, new SecureRandom()))
            .setSubjectDn(owner)
            .setIssuerDn(owner)
            .setPublicKey(pair.getPublic())
            .setVersion(3)
            .setSignatureAlgorithmName("SHA256withRSA")
            .setSigningKey(pair.getPrivate())
            .addExtension(new SubjectAlternativeNamesExtension(false, alternatives(names)))
            .build();
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, password);
    store.setKeyEntry(alias, pair.getPrivate(), password, new Certificate[] {certificate});
    try (OutputStream out = Files.newOutputStream(keystore)) {
      store.store(out, password);
    }
  }

  private static List<GeneralName> alternatives(List<String> names) {
    List<GeneralName> alternatives = new ArrayList<>();
    for (String name : names) {
      byte[] address = NetUtil.createByteArrayFromIpAddressString(name);
      alternatives.add(
          address == null ? new GeneralName.DNSName(name) : new GeneralName.IPAddress(address));
    }
    return alternatives;
  }

  /// Those of some names that a certificate does not have.
  static Set<String> missing(X509Certificate certificate, Collection<String> names)
      throws GeneralSecurityException {
    Set<String> missing = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    missing.addAll(names);
    Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
    for (List<?> alternative : alternatives == null ? List.<List<?>>of() : alternatives) {
      String known = alternative.get(1).toString();
      missing.removeIf(name -> isSame(name, known));
    }
    return missing;
  }

  /// Addresses have several spellings.
  private static boolean isSame(String name, String known) {
    byte[] address = NetUtil.createByteArrayFromIpAddressString(name);
    return address == null
        ? name.equalsIgnoreCase(known)
        : Arrays.equals(address, NetUtil.createByteArrayFromIpAddressString(known));
  }
}
