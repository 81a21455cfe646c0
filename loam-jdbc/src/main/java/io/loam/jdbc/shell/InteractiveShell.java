package io.loam.jdbc.shell;

import io.loam.jdbc.LoamDriver;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jline.reader.Buffer;
import org.jline.reader.History;
import org.jline.reader.LineReader;
import org.jline.reader.Widget;
import org.jline.reader.impl.LineReaderImpl;
import org.jspecify.annotations.Nullable;
import sqlline.AbstractCommandHandler;
import sqlline.CommandHandler;
import sqlline.DispatchCallback;
import sqlline.SqlLine;

/**
 * sqlline, whose TAB completes bare names of columns too, and which takes a few of its commands
 * without their exclamation mark.
 */
final class InteractiveShell extends SqlLine {
  static final String GREETING = "End a statement with ;  help tells more, quit leaves.";

  /** Commands, by words that no statement consists of. */
  private static final Map<String, String> COMMANDS =
      Map.of(
          "quit", "!quit",
          "exit", "!quit",
          "help", "!help",
          "begin", "!autocommit off",
          "start transaction", "!autocommit off",
          "commit", "!autocommit on",
          "rollback", "!rollback");

  /** Handlers of sqlline that the shell does without. */
  private static final Set<String> REPLACED = Set.of("help", "dropall");

  private final String url;

  private final Format format;

  InteractiveShell(String url, Format format) {
    this.url = url;
    this.format = format;
    List<CommandHandler> handlers = new ArrayList<>(getCommandHandlers());
    handlers.removeIf(handler -> REPLACED.contains(handler.getName()));
    handlers.add(new Help());
    updateCommandHandlers(handlers);
  }

  /** Loam's help instead of sqlline's. */
  private final class Help extends AbstractCommandHandler {
    Help() {
      super(InteractiveShell.this, new String[] {"help", "?"}, "What can be typed", List.of());
    }

    @Override
    public void execute(String line, DispatchCallback callback) {
      output(Arguments.HELP + Arguments.TYPED_HELP.stripTrailing());
      callback.setToSuccess();
    }
  }

  /** What sqlline tells of transactions when it is verbose, in the shell's own words. */
  @Override
  public void debug(String message) {
    switch (message) {
      case "Autocommit status: false" -> info("transaction begun");
      case "Autocommit status: true" -> info("committed");
      default -> super.debug(message);
    }
  }

  /** Runs to the end of the session. */
  Status run(Path history) throws IOException {
    String[] args = {
      "-d",
      LoamDriver.class.getName(),
      "-u",
      url,
      "-n",
      "",
      "-p",
      "",
      "--historyFile=" + history,
      "--prompt=loam> ",
      "--fastConnect=false", // so that TAB completes names of tables
      "--isolation=TRANSACTION_REPEATABLE_READ",
      "--nullValue=null", // for texts and vectors too, not only for numbers
      "--maxWidth=200",
      "--maxColumnWidth=80",
      "--verbose=false",
      "--csvQuoteCharacter='\"'",
      "--outputformat=" + format
    };
    return begin(args, null, true);
  }

  @Override
  public LineReader getConsoleReader(@Nullable InputStream input, History history)
      throws IOException {
    LineReader reader = super.getConsoleReader(input, history);
    if (reader instanceof LineReaderImpl implementation
        && !(implementation.getCompleter() instanceof ColumnCompleter)) {
      implementation.setCompleter(
          new ColumnCompleter(implementation.getCompleter(), () -> Shell.connect(url)));
      Widget accept = reader.getWidgets().get(LineReader.ACCEPT_LINE);
      reader
          .getWidgets()
          .put(
              LineReader.ACCEPT_LINE,
              () -> {
                markCommand(reader.getBuffer());
                return accept.apply();
              });
    }
    return reader;
  }

  /** Puts a command in the place of words that mean it. */
  private static void markCommand(Buffer typed) {
    String command =
        COMMANDS.get(typed.toString().replace(";", "").strip().toLowerCase(Locale.ROOT));
    if (command != null) {
      typed.clear();
      typed.write(command);
    }
  }
}
