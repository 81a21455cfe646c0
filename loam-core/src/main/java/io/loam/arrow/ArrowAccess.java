package io.loam.arrow;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import org.apache.arrow.memory.util.MemoryUtil;

/** Opens {@code java.nio} to Arrow, which reads the addresses of buffers, without a JVM flag. */
public final class ArrowAccess {
  private static final String PACKAGE = "java.nio";

  private ArrowAccess() {}

  /**
   * Lets Arrow be used. Must run before the first use of Arrow; does nothing the second time. Fails
   * with {@code UNSUPPORTED} where the JVM does not allow it.
   */
  public static void open() {
    Module base = Object.class.getModule();
    // The class literal does not initialise the class, whose initialiser needs the opening.
    Module arrow = MemoryUtil.class.getModule();
    if (base.isOpen(PACKAGE, arrow)) {
      return;
    }
    try {
      MethodHandle addOpens =
          trustedLookup()
              .findVirtual(
                  Module.class,
                  "implAddOpens",
                  MethodType.methodType(void.class, String.class, Module.class));
      addOpens.invoke(base, PACKAGE, arrow);
    } catch (Throwable e) { // MethodHandle.invoke declares it
      throw new LoamException(
          ErrorCode.UNSUPPORTED,
          "java.nio is closed to Arrow: java="
              + Runtime.version()
              + "; start the JVM with --add-opens=java.base/java.nio=ALL-UNNAMED",
          e);
    }
  }

  // Reflection, because the compiler warns of each direct use of sun.misc.Unsafe.
  private static MethodHandles.Lookup trustedLookup() throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Unsafe");
    Field singleton = type.getDeclaredField("theUnsafe");
    singleton.setAccessible(true);
    Object unsafe = singleton.get(null);
    Field lookup = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
    Object base = type.getMethod("staticFieldBase", Field.class).invoke(unsafe, lookup);
    Object offset = type.getMethod("staticFieldOffset", Field.class).invoke(unsafe, lookup);
    return (MethodHandles.Lookup)
        type.getMethod("getObject", Object.class, long.class).invoke(unsafe, base, offset);
  }
}
