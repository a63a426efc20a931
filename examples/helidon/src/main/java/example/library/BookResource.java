package example.library;

import jakarta.inject.Inject;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/// The catalogue by HTTP.
@Path("/books")
public class BookResource {
  private final Catalogue catalogue;

  /// Made by Helidon for each request.
  @Inject
  public BookResource(Catalogue catalogue) {
    this.catalogue = catalogue;
  }

  /// The title of a book.
  @GET
  @Path("{isbn}")
  @Produces(MediaType.TEXT_PLAIN)
  public String title(@PathParam("isbn") String isbn) {
    return catalogue.book(isbn).title();
  }

  /// Has a book looked up again.
  @DELETE
  @Path("{isbn}")
  public void changed(@PathParam("isbn") String isbn) {
    catalogue.changed(isbn);
  }

  /// How often something had to be looked up since the service started.
  @GET
  @Path("lookups")
  @Produces(MediaType.TEXT_PLAIN)
  public long lookups() {
    return catalogue.lookups();
  }
}
