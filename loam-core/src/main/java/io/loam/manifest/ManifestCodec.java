package io.loam.manifest;

/** Manifests as bytes. */
@SuppressWarnings("DoNotCallSuggester")
public final class ManifestCodec {
  private ManifestCodec() {}

  public static byte[] encode(Manifest manifest) {
    throw new UnsupportedOperationException();
  }

  public static Manifest decode(byte[] bytes, String path) {
    throw new UnsupportedOperationException();
  }
}
