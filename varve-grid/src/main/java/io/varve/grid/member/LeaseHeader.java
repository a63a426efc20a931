package io.varve.grid.member;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jgroups.Global;
import org.jgroups.Header;
import org.jgroups.ViewId;
import org.jgroups.util.Bits;
import org.jspecify.annotations.Nullable;

/// A question whether a node is counted in, or the answer to one.
public final class LeaseHeader extends Header {
  static final short MAGIC = 7_801;

  private boolean answer;
  private long sentNanos;
  private @Nullable ViewId view;
  private Map<String, Integer> topologies = Map.of();

  /// For JGroups, which reads the rest.
  public LeaseHeader() {}

  private LeaseHeader(
      boolean answer, long sentNanos, @Nullable ViewId view, Map<String, Integer> topologies) {
    this.answer = answer;
    this.sentNanos = sentNanos;
    this.view = view;
    this.topologies = topologies;
  }

  /// Asks a node of the same view.
  ///
  /// @param sentNanos by the clock of the node that asks, before it does
  static LeaseHeader question(long sentNanos) {
    return new LeaseHeader(false, sentNanos, null, Map.of());
  }

  /// Answers a question.
  ///
  /// @param view of the node that answers
  /// @param topologies of its caches, by their names
  static LeaseHeader answer(long sentNanos, ViewId view, Map<String, Integer> topologies) {
    return new LeaseHeader(true, sentNanos, view, topologies);
  }

  boolean isAnswer() {
    return answer;
  }

  long sentNanos() {
    return sentNanos;
  }

  @Nullable ViewId view() {
    return view;
  }

  Map<String, Integer> topologies() {
    return topologies;
  }

  @Override
  public short getMagicId() {
    return MAGIC;
  }

  @Override
  public Supplier<? extends Header> create() {
    return LeaseHeader::new;
  }

  @Override
  public int serializedSize() {
    int bytes = 2 * Global.BYTE_SIZE + Global.LONG_SIZE + Global.INT_SIZE;
    if (view != null) {
      bytes += view.serializedSize();
    }
    for (String name : topologies.keySet()) {
      bytes += Bits.sizeUTF(name) + Global.INT_SIZE;
    }
    return bytes;
  }

  @Override
  public void writeTo(DataOutput out) throws IOException {
    out.writeBoolean(answer);
    out.writeLong(sentNanos);
    out.writeBoolean(view != null);
    if (view != null) {
      view.writeTo(out);
    }
    out.writeInt(topologies.size());
    for (var topology : topologies.entrySet()) {
      out.writeUTF(topology.getKey());
      out.writeInt(topology.getValue());
    }
  }

  @Override
  public void readFrom(DataInput in) throws IOException, ClassNotFoundException {
    answer = in.readBoolean();
    sentNanos = in.readLong();
    if (in.readBoolean()) {
      view = new ViewId();
      view.readFrom(in);
    }
    int count = in.readInt();
    topologies = new HashMap<>();
    for (int i = 0; i < count; i++) {
      topologies.put(in.readUTF(), in.readInt());
    }
  }
}
