/// Kryo and Protocol Buffers for the values of caches. A program names none of it: with this module
/// next to the cache's, `Marshallers.named` takes `kryo` and `protobuf`.
@SuppressWarnings("requires-automatic") // Kryo is no module
module io.varve.cache.marshal {
  requires com.esotericsoftware.kryo;
  requires io.varve.cache;
  requires org.infinispan.protostream.core;
  requires static org.jspecify;

  uses org.infinispan.protostream.SerializationContextInitializer;

  provides io.varve.cache.MarshallerProvider with
      io.varve.cache.marshal.KryoProvider,
      io.varve.cache.marshal.ProtobufProvider;
}
