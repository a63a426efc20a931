package io.varve.grid.guard.resp.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.infinispan.protostream.ImmutableSerializationContext;
import org.infinispan.protostream.ProtobufUtil;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.server.resp.PersistenceContextInitializerImpl;
import org.infinispan.server.resp.hll.HyperLogLog;

/// A value of RESP that a second key may have. Commands of Infinispan replace values, and so do
/// ours. `PFADD` alone changes one in place.
final class Unshared {
  private static final ImmutableSerializationContext CONTEXT = context();

  private Unshared() {}

  private static ImmutableSerializationContext context() {
    SerializationContext context = ProtobufUtil.newSerializationContext();
    var types = new PersistenceContextInitializerImpl();
    types.registerSchema(context);
    types.registerMarshallers(context);
    return context;
  }

  /// The value itself, or a copy of one that may change.
  static Object of(Object value) {
    if (!(value instanceof HyperLogLog)) {
      return value;
    }
    try {
      byte[] bytes = ProtobufUtil.toWrappedByteArray(CONTEXT, value);
      return ProtobufUtil.fromWrappedByteArray(CONTEXT, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // of an array in memory
    }
  }
}
