package io.loam.calcite;

/** What ranks the rows of a scan, short of its parameters' values. EXPLAIN shows it as text. */
sealed interface ScanSearch permits SearchCall, Ranking {}
