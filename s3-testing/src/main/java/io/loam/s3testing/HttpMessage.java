package io.loam.s3testing;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A request or an answer of HTTP/1.1, kept byte for byte. */
record HttpMessage(String head, byte[] body) {

  /** Reads a request's or an answer's head, or null where the connection ended before it. */
  static @Nullable String readHead(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int lineEnds = 0;
    while (lineEnds < 4) {
      int b = in.read();
      if (b < 0) {
        return null;
      }
      bytes.write(b);
      lineEnds = b == '\r' || b == '\n' ? lineEnds + 1 : 0;
    }
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  /** Reads the body that belongs to a head. */
  static HttpMessage readBody(String head, InputStream in) throws IOException {
    if (header(head, "transfer-encoding").equalsIgnoreCase("chunked")) {
      return new HttpMessage(head, readChunks(in));
    }
    String length = header(head, "content-length");
    byte[] body = in.readNBytes(length.isEmpty() ? 0 : Integer.parseInt(length));
    return new HttpMessage(head, body);
  }

  private static byte[] readChunks(InputStream in) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    while (true) {
      StringBuilder line = new StringBuilder();
      for (int b = in.read(); b != '\n'; b = in.read()) {
        if (b < 0) {
          throw new EOFException();
        }
        line.append((char) b);
      }
      all.writeBytes((line + "\n").getBytes(StandardCharsets.ISO_8859_1));
      int size = Integer.parseInt(line.toString().strip(), 16);
      all.writeBytes(in.readNBytes(size + 2));
      if (size == 0) {
        return all.toByteArray();
      }
    }
  }

  /** A header's value, empty where there is none. */
  static String header(String head, String name) {
    return head.lines()
        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElse("");
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(head.getBytes(StandardCharsets.ISO_8859_1));
    out.write(body);
    out.flush();
  }

  SeenRequest seen() {
    String[] line = head.substring(0, head.indexOf('\r')).split(" ", -1);
    int question = line[1].indexOf('?');
    String path = question < 0 ? line[1] : line[1].substring(0, question);
    String query = question < 0 ? "" : line[1].substring(question + 1);
    int slash = path.indexOf('/', 1);
    String key = slash < 0 ? "" : path.substring(slash + 1);
    return new SeenRequest(line[0], key, query, header(head, "range"), body.length);
  }

  static HttpMessage error(int status, String code, String message) {
    byte[] body =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>%s</Code><Message>%s</Message></Error>"
            .formatted(code, message)
            .getBytes(StandardCharsets.UTF_8);
    String head =
        "HTTP/1.1 %d Fault\r\nContent-Type: application/xml\r\nContent-Length: %d\r\n\r\n"
            .formatted(status, body.length);
    return new HttpMessage(head, body);
  }
}
