/// Backups in a bucket of S3, or of a server that speaks its protocol.
///
/// Entry class: [io.varve.s3.S3Target]. It knows the SPI of backups and the SDK, and nothing of
/// stores. Locks: [S3Lease]'s alone; no other is taken while it is held.
@NullMarked
package io.varve.s3;

import org.jspecify.annotations.NullMarked;
