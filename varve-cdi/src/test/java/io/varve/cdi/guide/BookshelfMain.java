package io.varve.cdi.guide;

import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;

/// Asks for books, prints how often they were looked up in all, and kills its process.
public final class BookshelfMain {
  private BookshelfMain() {}

  public static void main(String[] isbns) {
    SeContainer container = SeContainerInitializer.newInstance().initialize();
    Bookshelf shelf = container.select(Bookshelf.class).get();
    for (String isbn : isbns) {
      System.out.println(shelf.book(isbn));
      System.out.println(shelf.book(isbn));
    }
    System.out.println("lookups=" + shelf.lookups());
    System.out.flush();
    Runtime.getRuntime().halt(9);
  }
}
