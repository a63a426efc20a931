/// Marshallers of other libraries. Knows what a marshaller must do and which classes it may; knows
/// nothing of caches. Entry classes: [io.varve.cache.marshal.KryoProvider] and
/// [io.varve.cache.marshal.ProtobufProvider], found as services.
@NullMarked
package io.varve.cache.marshal;

import org.jspecify.annotations.NullMarked;
