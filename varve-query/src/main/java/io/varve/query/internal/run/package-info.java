/// Runs statements over the rows that each table's access finds: joins, groups, sorts and changes.
/// Entry class: [io.varve.query.internal.run.Selection].
@NullMarked
package io.varve.query.internal.run;

import org.jspecify.annotations.NullMarked;
