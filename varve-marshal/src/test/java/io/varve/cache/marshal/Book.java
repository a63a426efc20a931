package io.varve.cache.marshal;

import java.util.ArrayList;
import java.util.List;
import org.infinispan.protostream.annotations.ProtoField;

/// A value that can be changed, for every library.
public final class Book {
  @ProtoField(number = 1)
  public String title;

  @ProtoField(number = 2, collectionImplementation = ArrayList.class)
  public List<String> authors = new ArrayList<>();

  public Book() {}

  Book(String title, String... authors) {
    this.title = title;
    this.authors.addAll(List.of(authors));
  }
}
