package io.loam.s3testing;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Stands before the server: passes requests on, remembers them, and makes faults. Writes of one key
 * pass one after another, since the server compares and writes in two steps, which S3 does not.
 */
final class FaultFront implements AutoCloseable {
  private static final long HANG_MILLIS = 60_000;
  private static final long LATE_MILLIS = 1_000;
  private static final String MESSAGE = "made by a test";

  private final int serverPort;
  private final ServerSocket listener;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "s3-front");
            thread.setDaemon(true);
            return thread;
          });
  private final Map<String, Object> locks = new ConcurrentHashMap<>();
  private final List<SeenRequest> seen = new ArrayList<>();
  private final AtomicLong bytesSent = new AtomicLong();
  private volatile FaultPlan plan = FaultPlan.NONE;
  private volatile long latencyMillis;

  FaultFront(int serverPort) throws IOException {
    this.serverPort = serverPort;
    this.listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    threads.execute(this::listen);
  }

  int port() {
    return listener.getLocalPort();
  }

  void plan(FaultPlan next) {
    plan = next;
  }

  void latencyMillis(long millis) {
    latencyMillis = millis;
  }

  /** Requests since the last call. */
  List<SeenRequest> takeSeen() {
    synchronized (seen) {
      List<SeenRequest> taken = List.copyOf(seen);
      seen.clear();
      return taken;
    }
  }

  /** Bytes of the bodies of answers since the last call. */
  long takeBytesSent() {
    return bytesSent.getAndSet(0);
  }

  private void listen() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        threads.execute(() -> serve(client));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        Upstream upstream = new Upstream(serverPort)) {
      client.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(client.getInputStream());
      OutputStream out = new BufferedOutputStream(client.getOutputStream());
      for (HttpMessage request = read(in, out); request != null; request = read(in, out)) {
        HttpMessage answer = answer(request, upstream, out);
        if (answer == null) {
          client.setSoLinger(true, 0); // the client sees a reset
          return;
        }
        bytesSent.addAndGet(answer.body().length);
        answer.writeTo(out);
      }
    } catch (IOException e) {
      return; // the client is gone
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static @Nullable HttpMessage read(InputStream in, OutputStream out) throws IOException {
    String head = HttpMessage.readHead(in);
    if (head == null) {
      return null;
    }
    if (HttpMessage.header(head, "expect").equals("100-continue")) {
      out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
      head = head.replaceFirst("(?i)\r\nexpect: *100-continue", "");
    }
    return HttpMessage.readBody(head, in);
  }

  /** The answer, or null to break the connection. */
  private @Nullable HttpMessage answer(HttpMessage request, Upstream upstream, OutputStream out)
      throws IOException, InterruptedException {
    SeenRequest what = request.seen();
    synchronized (seen) {
      seen.add(what);
    }
    if (latencyMillis > 0) {
      Thread.sleep(latencyMillis);
    }
    return switch (plan.fault(what)) {
      case NONE -> pass(request, what, upstream);
      case RESET -> null;
      case ERROR_BEFORE -> HttpMessage.error(500, "InternalError", MESSAGE);
      case ERROR_AFTER -> {
        pass(request, what, upstream);
        yield HttpMessage.error(500, "InternalError", MESSAGE);
      }
      case LOST_REPLY -> {
        pass(request, what, upstream);
        yield null;
      }
      case HANG -> {
        Thread.sleep(HANG_MILLIS);
        yield null;
      }
      case LATE -> {
        threads.execute(() -> passLate(request, what));
        yield null;
      }
      case THROTTLED -> HttpMessage.error(503, "SlowDown", MESSAGE);
      case CONFLICT -> HttpMessage.error(409, "ConditionalRequestConflict", MESSAGE);
      case TORN_ANSWER -> {
        HttpMessage whole = pass(request, what, upstream);
        byte[] half = Arrays.copyOf(whole.body(), whole.body().length / 2);
        new HttpMessage(whole.head(), half).writeTo(out);
        yield null;
      }
      case CUT_HEADERS -> {
        String head = pass(request, what, upstream).head();
        new HttpMessage(head.substring(0, head.indexOf('\n') + 1), new byte[0]).writeTo(out);
        throw new EOFException("cut on purpose");
      }
      case REFUSED_WITH_KEYS ->
          HttpMessage.error(
              403,
              "AccessDenied",
              "key " + S3Server.ACCESS_KEY_ID + " and secret " + S3Server.SECRET_ACCESS_KEY);
    };
  }

  private HttpMessage pass(HttpMessage request, SeenRequest what, Upstream upstream)
      throws IOException {
    if (!what.isWrite()) {
      return upstream.ask(request, what.method());
    }
    synchronized (locks.computeIfAbsent(what.key(), k -> new Object())) {
      return upstream.ask(request, what.method());
    }
  }

  private void passLate(HttpMessage request, SeenRequest what) {
    try (Upstream upstream = new Upstream(serverPort)) {
      TimeUnit.MILLISECONDS.sleep(LATE_MILLIS);
      pass(request, what, upstream);
    } catch (IOException e) {
      return; // the server is gone, and the write with it
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A connection to the server, made again where it was let go. */
  private static final class Upstream implements AutoCloseable {
    private final int port;
    private @Nullable Socket socket;
    private @Nullable InputStream in;

    Upstream(int port) {
      this.port = port;
    }

    HttpMessage ask(HttpMessage request, String method) throws IOException {
      Socket open = socket;
      InputStream answers = in;
      if (open == null || answers == null) {
        open = new Socket(InetAddress.getLoopbackAddress(), port);
        open.setTcpNoDelay(true);
        answers = new BufferedInputStream(open.getInputStream());
        socket = open;
        in = answers;
      }
      request.writeTo(new BufferedOutputStream(open.getOutputStream()));
      String head = HttpMessage.readHead(answers);
      if (head == null) {
        throw new IOException("server closed the connection");
      }
      boolean bodyless = method.equals("HEAD") || head.contains(" 204 ") || head.contains(" 304 ");
      HttpMessage answer =
          bodyless ? new HttpMessage(head, new byte[0]) : HttpMessage.readBody(head, answers);
      if (HttpMessage.header(head, "connection").equalsIgnoreCase("close")) {
        close();
      }
      return answer;
    }

    @Override
    public void close() throws IOException {
      if (socket != null) {
        socket.close();
        socket = null;
        in = null;
      }
    }
  }
}
