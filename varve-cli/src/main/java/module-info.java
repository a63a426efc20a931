/// The `varve` command: a shell, load, dump, statistics, verification, a demonstration and
/// simulations. Sees the store through its exported API alone.
module io.varve.cli {
  requires io.varve;
  requires io.varve.control;
  requires io.varve.json;
  requires io.varve.query;
  requires io.varve.test;
  requires info.picocli;
  requires me.tongfei.progressbar;
  requires org.jline.nativ;
  requires org.jline.reader;
  requires org.jline.terminal;
  requires tools.jackson.core;
  requires tools.jackson.databind;
  requires org.apache.commons.csv;
  requires com.h2database;
  requires com.moilioncircle.redis.replicator;
  requires java.sql;
  requires org.xerial.sqlitejdbc;
  requires jdk.unsupported; // JLine hears of Ctrl-C through sun.misc.Signal.
  requires static org.jspecify;

  opens io.varve.cli to
      info.picocli;
}
