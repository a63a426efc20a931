/// The schemas by which a node writes what it sends to other nodes. Infinispan parses them many
/// times over while it starts; [io.varve.grid.schema.SchemaModule] has it parse each once. Nothing
/// here knows what a node serves.
@NullMarked
package io.varve.grid.schema;

import org.jspecify.annotations.NullMarked;
