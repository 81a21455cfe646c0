package io.loam.lance;

import io.loam.arrow.ArrowAccess;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * A class that Lance looks up in the system class loader. On loading, Lance starts a native thread
 * that takes two methods of {@code AsyncScanner} from there, which Loam never uses. Where Lance's
 * classes are in another loader, the thread would not find it, print a panic and end with an
 * uncaught exception, so the system loader is given a class of that name whose two methods do
 * nothing.
 */
final class DispatchedClass {
  static final String NAME = "org.lance.ipc.AsyncScanner";

  private static final int ACC_PRIVATE = 0x0002;
  private static final int ACC_PUBLIC_SUPER = 0x0021;
  private static final int JAVA_8 = 52;
  private static final int UTF8 = 1;
  private static final int CLASS = 7;
  private static final int RETURN = 0xb1;

  private DispatchedClass() {}

  /** Defines the class unless the system loader has it. */
  static void provide() throws Throwable {
    ClassLoader system = ClassLoader.getSystemClassLoader();
    synchronized (system) {
      if (find(system) == null) {
        byte[] bytes = bytes();
        ArrowAccess.trustedLookup()
            .findVirtual(
                ClassLoader.class,
                "defineClass",
                MethodType.methodType(
                    Class.class, String.class, byte[].class, int.class, int.class))
            .invoke(system, NAME, bytes, 0, bytes.length);
      }
    }
  }

  private static @Nullable Class<?> find(ClassLoader loader) {
    try {
      return Class.forName(NAME, false, loader);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** A class file, as chapter 4 of the JVM specification has it. */
  private static byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(0xCAFEBABE);
      out.writeInt(JAVA_8);
      out.writeShort(10); // constants, plus one
      utf8(out, NAME.replace('.', '/')); // 1
      reference(out, 1); // 2
      utf8(out, "java/lang/Object"); // 3
      reference(out, 3); // 4
      utf8(out, "completeTask"); // 5
      utf8(out, "(JJ)V"); // 6
      utf8(out, "failTask"); // 7
      utf8(out, "(JLjava/lang/String;)V"); // 8
      utf8(out, "Code"); // 9
      out.writeShort(ACC_PUBLIC_SUPER);
      out.writeShort(2); // this class
      out.writeShort(4); // its superclass
      out.writeShort(0); // interfaces
      out.writeShort(0); // fields
      out.writeShort(2); // methods
      emptyMethod(out, 5, 6, 5);
      emptyMethod(out, 7, 8, 4);
      out.writeShort(0); // attributes
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void utf8(DataOutputStream out, String text) throws IOException {
    out.writeByte(UTF8);
    out.writeUTF(text);
  }

  private static void reference(DataOutputStream out, int name) throws IOException {
    out.writeByte(CLASS);
    out.writeShort(name);
  }

  private static void emptyMethod(DataOutputStream out, int name, int type, int locals)
      throws IOException {
    out.writeShort(ACC_PRIVATE);
    out.writeShort(name);
    out.writeShort(type);
    out.writeShort(1); // attributes
    out.writeShort(9); // Code
    out.writeInt(13); // its length
    out.writeShort(0); // stack
    out.writeShort(locals);
    out.writeInt(1); // code length
    out.writeByte(RETURN);
    out.writeShort(0); // exceptions
    out.writeShort(0); // attributes
  }
}
