/// Blobs are values of a node that are never in memory as a whole.
///
/// [io.varve.grid.blobs.BlobResource] answers the requests of REST for them. They are in a
/// [io.varve.grid.blobs.BlobStore], which is a part of the store that has the items.
///
/// Nothing here knows who asks, nor how bytes come and go: a body is an input stream that waits for
/// its client. A request is carried out on a virtual thread of its own. There are no locks.
@NullMarked
package io.varve.grid.blobs;

import org.jspecify.annotations.NullMarked;
