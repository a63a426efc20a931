/// Spaces of JSON as tables of documents: opened with their indexes, and asked by queries.
///
/// Entry class: [io.varve.cli.documents.Documents].
@NullMarked
package io.varve.cli.documents;

import org.jspecify.annotations.NullMarked;
