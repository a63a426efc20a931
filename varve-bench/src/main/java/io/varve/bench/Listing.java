package io.varve.bench;

import io.varve.bench.engine.EngineType;
import io.varve.bench.table.Table;
import io.varve.bench.table.Tables;
import java.io.PrintWriter;

/// Prints which tables and engines there are.
record Listing(PrintWriter out) {
  void print() {
    out.println("tables");
    out.printf("  %-14s what the machine itself gives%n", DeviceTrial.TABLE);
    for (Table table : Tables.all()) {
      out.printf("  %-14s %s%n", table.label(), table.description());
    }
    out.println("engines");
    for (EngineType type : Contestants.all()) {
      out.printf("  %-18s %s%n", type.label(), type.version());
    }
    out.flush();
  }
}
