/// Administration of stores: backups and restores ([io.varve.admin.Backups]), salvage of what is
/// intact in a damaged store ([io.varve.admin.Salvage]), changes of keys
/// ([io.varve.admin.StoreKeys]).
///
/// A program that keeps data in a store needs nothing of it. Uses [io.varve], which must not know
/// this package.
@NullMarked
package io.varve.admin;

import org.jspecify.annotations.NullMarked;
