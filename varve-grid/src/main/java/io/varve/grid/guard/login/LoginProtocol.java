package io.varve.grid.guard.login;

/// A protocol by which clients log in.
public enum LoginProtocol {
  HOT_ROD("hotrod"),
  HTTP("http"),
  MEMCACHED("memcached"),
  RESP("resp");

  private final String label;

  LoginProtocol(String label) {
    this.label = label;
  }

  /// As lines of the log and meters have it.
  public String label() {
    return label;
  }
}
