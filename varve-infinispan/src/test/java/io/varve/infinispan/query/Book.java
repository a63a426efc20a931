package io.varve.infinispan.query;

import java.io.Serializable;
import org.infinispan.api.annotations.indexing.Basic;
import org.infinispan.api.annotations.indexing.Indexed;
import org.infinispan.api.annotations.indexing.Text;

/// What the tests of queries store.
@Indexed
public final class Book implements Serializable {
  private final String title;
  private final int year;

  /// A book.
  public Book(String title, int year) {
    this.title = title;
    this.year = year;
  }

  /// Its title, which is searched by words.
  @Text
  public String getTitle() {
    return title;
  }

  /// When it came out.
  @Basic(sortable = true)
  public int getYear() {
    return year;
  }
}
