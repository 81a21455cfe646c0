SqlNode VersionOpt(SqlNode tableRef) :
{
    final SqlNode version;
    final Span s;
}
{
    LOOKAHEAD(2)
    <FOR> { s = span(); } <VERSION> <AS> <OF>
    version = Expression(ExprContext.ACCEPT_NON_QUERY)
    { return VersionOperator.version(s.end(this), tableRef, version); }
|
    tableRef = Snapshot(tableRef)
    { return VersionOperator.systemTime(tableRef); }
|
    { return tableRef; }
}

boolean IfNotExistsOpt() : {}
{
    <IF> <NOT> <EXISTS> { return true; }
|
    { return false; }
}

boolean IfExistsOpt() : {}
{
    <IF> <EXISTS> { return true; }
|
    { return false; }
}

SqlTypeNameSpec LoamTypeName() :
{
    int dimension = 0;
    final Span s;
}
{
    <VECTOR> { s = span(); } [ <LPAREN> dimension = UnsignedIntLiteral() <RPAREN> ]
    { return new SqlLoamTypeNameSpec(TypeKind.VECTOR, dimension, s.end(this)); }
|
    <SPARSEVECTOR> { s = span(); }
    { return new SqlLoamTypeNameSpec(TypeKind.SPARSEVECTOR, 0, s.end(this)); }
|
    <TEXT> { s = span(); }
    { return new SqlLoamTypeNameSpec(TypeKind.TEXT, 0, s.end(this)); }
|
    <JSON> { s = span(); }
    { return new SqlLoamTypeNameSpec(TypeKind.JSON, 0, s.end(this)); }
}

SqlCreate CreateCollection(Span s, boolean replace) :
{
    final boolean ifNotExists;
    final SqlIdentifier name;
    final List<SqlNode> columns = new ArrayList<SqlNode>();
    final List<SqlNode> primaryKey = new ArrayList<SqlNode>();
    SqlNodeList properties = SqlNodeList.EMPTY;
}
{
    <TABLE> ifNotExists = IfNotExistsOpt() name = CompoundIdentifier()
    <LPAREN>
    CollectionElement(columns, primaryKey) ( <COMMA> CollectionElement(columns, primaryKey) )*
    <RPAREN>
    [ <WITH> properties = ParenthesizedKeyValueOptionCommaList() ]
    {
        return new SqlCreateCollection(s.end(this), replace, ifNotExists, name,
            new SqlNodeList(columns, s.end(this)), new SqlNodeList(primaryKey, s.end(this)), properties);
    }
}

void CollectionElement(List<SqlNode> columns, List<SqlNode> primaryKey) :
{
    final SqlNodeList key;
    final SqlColumnDeclaration declaration;
}
{
    <PRIMARY> <KEY> key = ParenthesizedSimpleIdentifierList()
    { primaryKey.addAll(key.getList()); }
|
    declaration = ColumnDeclaration(primaryKey)
    { columns.add(declaration); }
}

SqlColumnDeclaration ColumnDeclaration(List<SqlNode> primaryKey) :
{
    final SqlIdentifier name;
    final SqlDataTypeSpec type;
    boolean nullable = true;
    SqlNode analyzer = null;
    final Span s = Span.of();
}
{
    name = SimpleIdentifier() type = DataType()
    (
        <NOT> <NULL> { nullable = false; }
    |
        <NULL>
    |
        <ANALYZER> analyzer = StringLiteral()
    |
        <PRIMARY> <KEY> { primaryKey.add(name); nullable = false; }
    )*
    { return new SqlColumnDeclaration(s.add(name).end(this), name, type, nullable, analyzer); }
}

SqlNode AlterCollection() :
{
    final Span s;
    final SqlIdentifier name;
    final SqlIdentifier column;
    final SqlColumnDeclaration declaration;
    final boolean condition;
    final List<SqlNode> primaryKey = new ArrayList<SqlNode>();
    SqlNodeList properties = SqlNodeList.EMPTY;
}
{
    <ALTER> { s = span(); }
    (
        <INDEX> column = SimpleIdentifier() <ON> name = CompoundIdentifier() <REBUILD>
        { return new SqlRebuildIndex(s.end(this), column, name); }
    |
        <TABLE> name = CompoundIdentifier()
    )
    (
        <ADD> [ LOOKAHEAD(<COLUMN>) <COLUMN> ]
        condition = IfNotExistsOpt() declaration = ColumnDeclaration(primaryKey)
        [ <WITH> properties = ParenthesizedKeyValueOptionCommaList() ]
        { return SqlAlterCollection.add(s.end(this), name, condition, declaration, !primaryKey.isEmpty(), properties); }
    |
        <DROP> [ LOOKAHEAD(<COLUMN>) <COLUMN> ]
        condition = IfExistsOpt() column = SimpleIdentifier()
        { return SqlAlterCollection.drop(s.end(this), name, condition, column); }
    |
        <REINDEX>
        { return SqlAlterCollection.reindex(s.end(this), name); }
    )
}

SqlNode ShowTables() :
{
    final Span s;
    SqlIdentifier schema = null;
    SqlNode pattern = null;
}
{
    <SHOW> { s = span(); } <TABLES>
    [ ( <FROM> | <IN> ) schema = SimpleIdentifier() ]
    [ <LIKE> pattern = StringLiteral() ]
    { return Listings.tables(s.end(this), schema, pattern); }
}

SqlDrop DropCollection(Span s, boolean replace) :
{
    final boolean ifExists;
    final SqlIdentifier name;
}
{
    <TABLE> ifExists = IfExistsOpt() name = CompoundIdentifier()
    { return SqlDdlNodes.dropTable(s.end(this), ifExists, name); }
}

SqlCreate CreateTag(Span s, boolean replace) :
{
    final SqlIdentifier name;
    final SqlIdentifier table;
    final SqlNode version;
}
{
    <TAG> name = SimpleIdentifier() <ON> table = CompoundIdentifier() version = VersionOpt(table)
    { return new SqlCreateTag(s.end(this), replace, name, version); }
}

SqlDrop DropTag(Span s, boolean replace) :
{
    final boolean ifExists;
    final SqlIdentifier name;
    final SqlIdentifier table;
}
{
    <TAG> ifExists = IfExistsOpt() name = SimpleIdentifier() <ON> table = CompoundIdentifier()
    { return new SqlDropTag(s.end(this), ifExists, name, table); }
}

SqlCreate CreateIndex(Span s, boolean replace) :
{
    final boolean ifNotExists;
    final SqlIdentifier name;
    final SqlIdentifier table;
    final SqlIdentifier column;
    final SqlIdentifier kind;
    SqlNodeList properties = SqlNodeList.EMPTY;
}
{
    <INDEX> ifNotExists = IfNotExistsOpt() name = SimpleIdentifier()
    <ON> table = CompoundIdentifier() <LPAREN> column = SimpleIdentifier() <RPAREN>
    <USING> kind = SimpleIdentifier()
    [ <WITH> properties = ParenthesizedKeyValueOptionCommaList() ]
    { return new SqlCreateIndex(s.end(this), replace, ifNotExists, name, table, column, kind, properties); }
}

SqlDrop DropIndex(Span s, boolean replace) :
{
    final boolean ifExists;
    final SqlIdentifier name;
    final SqlIdentifier table;
}
{
    <INDEX> ifExists = IfExistsOpt() name = SimpleIdentifier() <ON> table = CompoundIdentifier()
    { return new SqlDropIndex(s.end(this), ifExists, name, table); }
}

SqlNode MergeInto() :
{
    SqlNode target;
    SqlIdentifier alias = null;
    final SqlNode source;
    final SqlNode condition;
    final List<SqlNode> clauses = new ArrayList<SqlNode>();
    SqlMergeClause clause;
    final Span s;
}
{
    <MERGE> { s = span(); } <INTO> target = CompoundTableIdentifier()
    [ target = TableHints((SqlIdentifier) target) ]
    [ [ <AS> ] alias = SimpleIdentifier() ]
    <USING> source = TableRef()
    <ON> condition = Expression(ExprContext.ACCEPT_SUB_QUERY)
    ( clause = MergeClause() { clauses.add(clause); } )+
    {
        return new SqlMergeInto(s.end(this), target, alias, source, condition,
            new SqlNodeList(clauses, s.end(this)));
    }
}

SqlMergeClause MergeClause() :
{
    final Span s;
    SqlNode condition = null;
    final SqlNodeList updated = new SqlNodeList(SqlParserPos.ZERO);
    final SqlNodeList values = new SqlNodeList(SqlParserPos.ZERO);
    SqlNodeList inserted = null;
    final SqlNode row;
}
{
    <WHEN> { s = span(); }
    (
        <MATCHED> [ <AND> condition = Expression(ExprContext.ACCEPT_SUB_QUERY) ] <THEN>
        (
            <UPDATE> <SET> Assignment(updated, values) ( <COMMA> Assignment(updated, values) )*
            { return SqlMergeClause.update(s.end(this), condition, updated, values); }
        |
            <DELETE>
            { return SqlMergeClause.delete(s.end(this), condition); }
        )
    |
        <NOT> <MATCHED> [ <AND> condition = Expression(ExprContext.ACCEPT_SUB_QUERY) ]
        <THEN> <INSERT>
        [ LOOKAHEAD(2) inserted = ParenthesizedSimpleIdentifierList() ]
        (
            <LPAREN> <VALUES> row = RowConstructor() <RPAREN>
        |
            <VALUES> row = RowConstructor()
        )
        { return SqlMergeClause.insert(s.end(this), condition, inserted, row); }
    )
}

void Assignment(SqlNodeList columns, SqlNodeList values) :
{
    final SqlIdentifier column;
}
{
    column = CompoundIdentifier() <EQ> { columns.add(column); }
    AddExpression(values, ExprContext.ACCEPT_SUB_QUERY)
}

SqlNode JdbcOuterJoin() :
{
    SqlNode e;
}
{
    <LBRACE_OJ>
    e = TableRef1(ExprContext.ACCEPT_QUERY_OR_JOIN)
    ( LOOKAHEAD(2) e = JoinTable(e) )*
    <RBRACE>
    { return e; }
}

SqlNode EscapeCharacter() :
{
    final SqlNode e;
}
{
    <ESCAPE> e = Expression3(ExprContext.ACCEPT_SUB_QUERY)
    { return e; }
|
    <LBRACE_ESCAPE> e = Expression3(ExprContext.ACCEPT_SUB_QUERY) <RBRACE>
    { return e; }
}
