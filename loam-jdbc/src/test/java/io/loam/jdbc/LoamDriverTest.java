package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class LoamDriverTest {
  @Test
  void isAService() {
    assertThat(ServiceLoader.load(Driver.class)).anyMatch(driver -> driver instanceof LoamDriver);
  }

  @Test
  void takesItsOwnUrlsOnly() throws SQLException {
    Driver driver = DriverManager.getDriver("jdbc:loam:/x");
    assertThat(driver).isInstanceOf(LoamDriver.class);
    assertThat(driver.acceptsURL("jdbc:calcite:")).isFalse();
    assertThat(driver.connect("jdbc:calcite:", new Properties())).isNull();
    assertThat(driver.jdbcCompliant()).isFalse();
    assertThat(driver.getMajorVersion()).isZero();
    assertThat(driver.getMinorVersion()).isEqualTo(1);
  }

  @Test
  void describesItsProperties() throws SQLException {
    DriverPropertyInfo[] infos =
        new LoamDriver().getPropertyInfo("jdbc:loam:/x?cacheBytes=7", new Properties());
    assertThat(infos)
        .extracting(i -> i.name + "=" + i.value)
        .containsExactly(
            "schema=loam",
            "cacheFolder=",
            "cacheBytes=7",
            "queryTimeoutSeconds=0",
            "autoOptimize=true",
            "buildProcesses=2",
            "endpoint=",
            "region=",
            "pathStyle=false",
            "accessKeyId=null",
            "secretAccessKey=null",
            "sessionToken=null",
            "user=",
            "password=null");
    assertThat(infos).allMatch(i -> !i.description.isEmpty() && !i.required);
  }

  @Test
  void unknownPropertyIsRefused() {
    assertThatThrownBy(() -> DriverManager.getConnection("jdbc:loam:/x?nope=1"))
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> {
              assertThat(e.getSQLState()).isEqualTo("08001");
              assertThat(e.getErrorCode()).isEqualTo(1018);
              assertThat(e.getMessage()).contains("name=nope");
            });
  }

  @Test
  void otherPlatformsAreNamed() {
    assertThatCode(() -> LoamDriver.checkPlatform("Linux", "amd64")).doesNotThrowAnyException();
    assertThatThrownBy(() -> LoamDriver.checkPlatform("Mac OS X", "aarch64"))
        .isInstanceOf(SQLFeatureNotSupportedException.class)
        .hasMessageContaining("os=Mac OS X, architecture=aarch64");
  }
}
