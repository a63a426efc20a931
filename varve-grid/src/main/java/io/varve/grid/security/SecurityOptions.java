package io.varve.grid.security;

import io.varve.grid.node.NodeDirectory;
import io.varve.grid.node.NodeException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// How a node is protected. At an address that only this machine reaches it asks for no name unless
/// it has users, and does not encrypt unless set to. At any other it does both, unless an option
/// exempts it by name.
public final class SecurityOptions {
  @Option(
      names = "--user",
      paramLabel = "NAME",
      order = 20,
      description = "Add an administrator, or set the password of one: that of --password-file.")
  @Nullable String user;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      order = 21,
      description = "File whose first line is the password of --user; '-' is the standard input.")
  @Nullable Path passwordFile;

  @Option(
      names = "--no-users",
      order = 22,
      description = "Serve all clients that reach the port, without asking for a name.")
  boolean noUsers;

  @Option(
      names = "--tls",
      order = 23,
      description = "Encrypt at this machine's own addresses, too, where that is not the default.")
  boolean tls;

  @Option(
      names = "--tls-keystore",
      paramLabel = "FILE",
      order = 24,
      description =
          "Key and certificate, PKCS12 or JKS. Default: the node makes its own, with the names of"
              + " --name.")
  @Nullable Path keystore;

  @Option(
      names = "--tls-password-file",
      paramLabel = "FILE",
      order = 25,
      description = "File whose first line is the password of --tls-keystore.")
  @Nullable Path keystorePasswordFile;

  @Option(
      names = "--no-tls",
      order = 26,
      description = "Do not encrypt, as where something before the node does.")
  boolean noTls;

  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  /// Made by picocli.
  public SecurityOptions() {}

  /// How a node at an address is to be protected. Adds the user, and makes a certificate, where
  /// that is asked for.
  ///
  /// @param names that clients may call the node, in addition to its addresses
  /// @throws NodeException if the address is open to others, and the node would be, too
  public Protection protection(Path data, String bindAddress, List<String> names) {
    refuseContradictions();
    Path configuration = NodeDirectory.configuration(data);
    Users users = new Users(configuration);
    if (user != null) {
      addUser(users, user);
    }
    boolean open = !isLoopback(bindAddress);
    if (open && !noUsers && users.isEmpty()) {
      throw new NodeException(
          "the node has no users and would serve all clients that reach it: address="
              + bindAddress
              + "; add one by `varve user add NAME --data "
              + data
              + "`, or say --no-users");
    }
    boolean encrypted = !noTls && (tls || keystore != null || open);
    return new Protection(
        !noUsers && !users.isEmpty(), encrypted ? key(configuration, bindAddress, names) : null);
  }

  private void refuseContradictions() {
    if (user != null && noUsers) {
      throw new ParameterException(
          command.commandLine(), "--user and --no-users exclude each other");
    }
    if (noTls && (tls || keystore != null)) {
      throw new ParameterException(
          command.commandLine(), "--no-tls excludes --tls and --tls-keystore");
    }
    if ((user == null) != (passwordFile == null)) {
      throw new ParameterException(command.commandLine(), "--user and --password-file go together");
    }
    if ((keystore == null) != (keystorePasswordFile == null)) {
      throw new ParameterException(
          command.commandLine(), "--tls-keystore and --tls-password-file go together");
    }
  }

  private void addUser(Users users, String name) {
    try {
      users.set(name, Passwords.ofFileOrTerminal(passwordFile, name), Role.ADMIN);
    } catch (IOException e) {
      throw new NodeException("cannot write the users: reason=" + e.getMessage(), e);
    }
  }

  private Tls key(Path configuration, String bindAddress, List<String> names) {
    if (keystore != null && keystorePasswordFile != null) {
      return Tls.of(keystore, Passwords.ofFile(keystorePasswordFile));
    }
    return Tls.selfMade(configuration, allNames(bindAddress, names));
  }

  private static boolean isLoopback(String address) {
    return resolved(address).isLoopbackAddress();
  }

  /// What clients may call a node. Of one that others reach, the name of the machine comes first.
  private static List<String> allNames(String bindAddress, List<String> added) {
    Set<String> names = new LinkedHashSet<>();
    InetAddress address = resolved(bindAddress);
    if (!address.isLoopbackAddress()) {
      if (!address.isAnyLocalAddress()) {
        names.add(bindAddress);
      }
      try {
        names.add(InetAddress.getLocalHost().getHostName());
      } catch (UnknownHostException e) {
        // A machine without a name that it can resolve: clients have none for it.
      }
    }
    names.addAll(List.of("localhost", "127.0.0.1", "::1"));
    if (!address.isAnyLocalAddress()) {
      names.add(bindAddress);
    }
    names.addAll(added);
    return List.copyOf(names);
  }

  private static InetAddress resolved(String address) {
    try {
      return InetAddress.getByName(address);
    } catch (UnknownHostException e) {
      throw new NodeException(
          "no such address: address=" + address + "; name another by --bind", e);
    }
  }
}
