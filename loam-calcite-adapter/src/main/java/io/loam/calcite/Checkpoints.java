package io.loam.calcite;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.calcite.DataContext;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.linq4j.tree.BlockStatement;
import org.apache.calcite.linq4j.tree.ClassDeclaration;
import org.apache.calcite.linq4j.tree.DeclarationStatement;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.linq4j.tree.FieldDeclaration;
import org.apache.calcite.linq4j.tree.ForStatement;
import org.apache.calcite.linq4j.tree.FunctionExpression;
import org.apache.calcite.linq4j.tree.MemberDeclaration;
import org.apache.calcite.linq4j.tree.MethodDeclaration;
import org.apache.calcite.linq4j.tree.Shuttle;
import org.apache.calcite.linq4j.tree.Statement;
import org.apache.calcite.linq4j.tree.Types;
import org.apache.calcite.linq4j.tree.WhileStatement;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.runtime.ArrayBindable;
import org.apache.calcite.runtime.Bindable;
import org.apache.calcite.runtime.Typed;
import org.codehaus.commons.compiler.CompilerFactoryFactory;
import org.codehaus.commons.compiler.ISimpleCompiler;
import org.codehaus.commons.compiler.InternalCompilerException;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the code that Calcite generates, with a checkpoint in each loop and each function of it.
 * What computes for long, such as a join, a sort or a window, may read and return nothing
 * meanwhile, but goes through these. Calcite gives its code to no other compiler than Spark's,
 * hence the interface.
 */
public final class Checkpoints implements CalcitePrepare.SparkHandler {
  private static final Method PASS =
      Types.lookupMethod(Checkpoints.class, "pass", DataContext.class);

  private final CalcitePrepare.SparkHandler others;

  /**
   * @param others does what is no compilation
   */
  Checkpoints(CalcitePrepare.SparkHandler others) {
    this.others = others;
  }

  /** Called by generated code: fails where its statement is to end. */
  public static void pass(DataContext context) {
    if (context instanceof StatementContext statement) {
      statement.checkpoint();
    } else if (context.get(StatementContext.KEY) instanceof StatementContext outer) {
      outer.checkpoint();
    }
  }

  @Override
  public boolean enabled() {
    return true;
  }

  @Override
  public ArrayBindable compile(ClassDeclaration generated, String members) {
    ClassDeclaration checked = generated.accept(new Finder());
    try {
      return compile(generated.name, Expressions.toString(checked.memberDeclarations, "\n", false));
    } catch (InternalCompilerException e) {
      // A method that only just fits into a class file.
      return compile(generated.name, members);
    }
  }

  private static ArrayBindable compile(String name, String members) {
    String interfaces =
        Stream.of(ArrayBindable.class, Bindable.class, Typed.class)
            .map(Class::getCanonicalName)
            .collect(Collectors.joining(", "));
    ClassLoader loader = Checkpoints.class.getClassLoader();
    try {
      ISimpleCompiler compiler =
          CompilerFactoryFactory.getDefaultCompilerFactory(loader).newSimpleCompiler();
      compiler.setParentClassLoader(loader);
      compiler.cook(
          "public final class " + name + " implements " + interfaces + " {\n" + members + "\n}\n");
      Class<?> compiled = compiler.getClassLoader().loadClass(name);
      return (ArrayBindable) compiled.getDeclaredConstructor().newInstance();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("generated code does not compile", e);
    }
  }

  @Override
  public RelNode flattenTypes(RelOptPlanner planner, RelNode root, boolean restructure) {
    return others.flattenTypes(planner, root, restructure);
  }

  @Override
  public void registerRules(RuleSetBuilder builder) {
    others.registerRules(builder);
  }

  @Override
  public Object sparkContext() {
    return others.sparkContext();
  }

  /** Looks for the method that runs a plan; what is outside of it knows no statement. */
  private static final class Finder extends Shuttle {
    @Override
    public Shuttle preVisit(MethodDeclaration method) {
      return method.name.equals("bind") ? new Inserter() : this;
    }
  }

  private static final class Inserter extends Shuttle {
    private static final Statement CHECKPOINT =
        Expressions.statement(Expressions.call(PASS, DataContext.ROOT));

    /** Fields may be static, where no statement is known. */
    @Override
    public Shuttle preVisit(FieldDeclaration field) {
      return new Shuttle();
    }

    /** Some small functions call their parameter as the statement is called. */
    @Override
    @SuppressWarnings("rawtypes") // As declared by Calcite.
    public Shuttle preVisit(FunctionExpression function) {
      return hidesStatement(function) ? new Shuttle() : this;
    }

    private static boolean hidesStatement(FunctionExpression<?> function) {
      return function.parameterList.stream()
          .anyMatch(
              parameter ->
                  DataContext.ROOT.name.equals(parameter.name)
                      && parameter.getType() != DataContext.class);
    }

    @Override
    public Statement visit(WhileStatement loop, Expression condition, Statement body) {
      return Expressions.while_(condition, checked(body));
    }

    @Override
    public ForStatement visit(
        ForStatement loop,
        List<DeclarationStatement> declarations,
        @Nullable Expression condition,
        @Nullable Expression next,
        Statement body) {
      return Expressions.for_(declarations, condition, next, checked(body));
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // Its type is that of the code it came from.
    public Expression visit(FunctionExpression function, @Nullable BlockStatement body) {
      return body == null
          ? function
          : Expressions.lambda(
              (Class) Types.toClass(function.getType()), checked(body), function.parameterList);
    }

    @Override
    public MemberDeclaration visit(MethodDeclaration method, BlockStatement body) {
      return method.name.equals("compare")
          ? Expressions.methodDecl(
              method.modifier, method.resultType, method.name, method.parameters, checked(body))
          : super.visit(method, body);
    }

    private static BlockStatement checked(Statement body) {
      return Expressions.block(CHECKPOINT, body);
    }
  }
}
