package io.loam.jdbc;

/**
 * What a connection is opened with.
 *
 * @param schema of unqualified names
 * @param queryTimeoutSeconds of new statements, 0 for no bound
 */
public record ConnectionSettings(String url, String schema, String user, int queryTimeoutSeconds) {}
