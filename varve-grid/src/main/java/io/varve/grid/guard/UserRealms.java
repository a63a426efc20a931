package io.varve.grid.guard;

import io.varve.grid.guard.connection.PrivateField;
import io.varve.grid.guard.login.LoggedInUsers;
import io.varve.grid.guard.login.UserFiles;
import io.varve.grid.guard.login.UserRealm;
import java.lang.invoke.VarHandle;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Supplier;
import org.infinispan.commons.configuration.Combine;
import org.infinispan.commons.configuration.attributes.AttributeSet;
import org.infinispan.commons.configuration.attributes.ConfigurationElement;
import org.infinispan.server.Server;
import org.infinispan.server.configuration.ServerConfigurationBuilder;
import org.infinispan.server.configuration.security.PropertiesRealmConfiguration;
import org.infinispan.server.configuration.security.PropertiesRealmConfigurationBuilder;
import org.infinispan.server.configuration.security.RealmConfiguration;
import org.infinispan.server.configuration.security.RealmConfigurationBuilder;
import org.infinispan.server.configuration.security.RealmProvider;
import org.infinispan.server.configuration.security.RealmProviderBuilder;
import org.infinispan.server.configuration.security.RealmsConfigurationBuilder;
import org.infinispan.server.configuration.security.SecurityConfiguration;
import org.infinispan.server.security.ServerSecurityRealm;
import org.wildfly.security.auth.server.SecurityDomain;
import org.wildfly.security.auth.server.SecurityRealm;

/// Puts [UserRealm] where Infinispan makes the realm of the users of a file, and takes Infinispan's
/// cache of users away from all realms (REALM-2).
public final class UserRealms {
  /// Infinispan publishes no way to them. A version without them does not start.
  private static final VarHandle REALMS =
      PrivateField.of(RealmsConfigurationBuilder.class, "securityRealms", Map.class);

  private static final VarHandle PROVIDERS =
      PrivateField.of(RealmConfigurationBuilder.class, "builders", List.class);

  private UserRealms() {}

  /// Prepares a server that has not started.
  ///
  /// @param door whose connections end when their users change
  /// @param secret of the node, asked for if it has users
  @SuppressWarnings("unchecked") // as Infinispan declares them
  public static void install(Server server, Door door, Supplier<byte[]> secret) {
    RealmsConfigurationBuilder realms =
        server
            .getConfigurationBuilderHolder()
            .getGlobalConfigurationBuilder()
            .module(ServerConfigurationBuilder.class)
            .security()
            .realms();
    for (var realm : ((Map<String, RealmConfigurationBuilder>) REALMS.get(realms)).values()) {
      realm.cacheMaxSize(0);
      ((List<RealmProviderBuilder<?>>) PROVIDERS.get(realm))
          .replaceAll(provider ->
              provider instanceof PropertiesRealmConfigurationBuilder files
                  ? new Builder(files, door.logins().users(), secret.get())
                  : provider);
    }
  }

  private record Builder(
      PropertiesRealmConfigurationBuilder files, LoggedInUsers users, byte[] secret)
      implements RealmProviderBuilder<Provider> {
    @Override
    public String name() {
      return files.name();
    }

    @Override
    public AttributeSet attributes() {
      return files.attributes();
    }

    @Override
    public void validate() {
      files.validate();
    }

    @Override
    public Provider create() {
      return new Provider(files.create(), users, secret);
    }

    @Override
    public Builder read(Provider template, Combine combine) {
      files.read(template.files, combine);
      return this;
    }

    @Override
    @SuppressWarnings("rawtypes") // as Infinispan declares it
    public int compareTo(RealmProviderBuilder other) {
      return files.compareTo(other);
    }
  }

  private static final class Provider extends ConfigurationElement<Provider>
      implements RealmProvider {
    private final PropertiesRealmConfiguration files;
    private final LoggedInUsers users;
    private final byte[] secret;

    Provider(PropertiesRealmConfiguration files, LoggedInUsers users, byte[] secret) {
      super(files.elementName(), files.attributes(), files.children());
      this.files = files;
      this.users = users;
      this.secret = secret;
    }

    @Override
    public SecurityRealm build(
        SecurityConfiguration security,
        RealmConfiguration realm,
        SecurityDomain.Builder domain,
        Properties properties) {
      String name = files.userProperties().digestRealmName();
      var ofRealm =
          new UserFiles(
              files.userProperties().getFile(properties),
              files.groupProperties().getFile(properties),
              files.userProperties().plainText(),
              files.attributes().<String>attribute("groups-attribute").get(),
              name,
              System::nanoTime);
      users.watch(ofRealm);
      return new UserRealm(ofRealm, name, secret);
    }

    @Override
    public String name() {
      return files.name();
    }

    @Override
    public void applyFeatures(EnumSet<ServerSecurityRealm.Feature> features) {
      files.applyFeatures(features);
    }
  }
}
