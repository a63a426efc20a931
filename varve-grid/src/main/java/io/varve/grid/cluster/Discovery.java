package io.varve.grid.cluster;

import java.util.Locale;

/// How a node finds the others: `hosts:a,b`, `file:DIR` or `dns:NAME`.
///
/// @param kind of lookup
/// @param place where they are found, in the notation of its kind
record Discovery(Kind kind, String place) {
  enum Kind {
    /// Addresses of nodes, not necessarily all, each with or without a port.
    HOSTS,
    /// A directory that all nodes share.
    FILE,
    /// A name that is resolved to the addresses of all nodes.
    DNS;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// Reads what a user has written.
  ///
  /// @throws IllegalArgumentException if that is none
  static Discovery parse(String written) {
    int colon = written.indexOf(':');
    for (Kind kind : Kind.values()) {
      if (colon > 0
          && colon + 1 < written.length()
          && written.substring(0, colon).equals(kind.label())) {
        return new Discovery(kind, written.substring(colon + 1));
      }
    }
    throw new IllegalArgumentException(
        "no way to find other nodes: discovery="
            + written
            + "; write hosts:ADDRESS,ADDRESS or file:DIR or dns:NAME");
  }

  /// The location as JGroups expects it.
  String place(int portDefault) {
    return switch (kind) {
      case HOSTS -> bracketed(portDefault);
      case FILE, DNS -> place;
    };
  }

  /// Hosts with their ports, as `a[7800],b[7801]`.
  private String bracketed(int portDefault) {
    StringBuilder hosts = new StringBuilder();
    for (String host : place.split(",", -1)) {
      // More than one colon is an address of IPv6, which has no port here.
      int colon = host.indexOf(':') == host.lastIndexOf(':') ? host.indexOf(':') : -1;
      String address = colon < 0 ? host : host.substring(0, colon);
      String port = colon < 0 ? Integer.toString(portDefault) : host.substring(colon + 1);
      hosts.append(hosts.isEmpty() ? "" : ",").append(address).append('[').append(port).append(']');
    }
    return hosts.toString();
  }
}
