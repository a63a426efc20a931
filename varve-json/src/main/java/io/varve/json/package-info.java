/// Values of tables as JSON. Knows how Jackson reads and writes objects; knows nothing of stores.
/// Entry class: [io.varve.json.JsonCodec].
@NullMarked
package io.varve.json;

import org.jspecify.annotations.NullMarked;
