package io.varve.cli;

import io.varve.Space;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.KeyText;
import picocli.CommandLine.Option;

/// How keys are written on the command line.
final class KeyOptions {
  @Option(names = "--hex", description = "Keys (and a VALUE) are hex digits, without 0x.")
  boolean hex;

  byte[] key(String text) {
    byte[] key = parse(text);
    if (key.length > Space.KEY_BYTES_MAX) {
      throw CommandException.usage(
          "key too long: bytes=" + key.length + ", max=" + Space.KEY_BYTES_MAX);
    }
    return key;
  }

  private byte[] parse(String text) {
    try {
      return hex ? KeyText.parseHex(text) : KeyText.parse(text);
    } catch (IllegalArgumentException e) {
      throw CommandException.usage(String.valueOf(e.getMessage()), e);
    }
  }
}
