/*
 * The language of queries: the core of Jakarta Query 1.0, which JPQL and JDQL share, written from the
 * text of that specification, and what Varve adds: group by, having, distinct, limit and offset,
 * joins on a condition, exists over attributes with many values, the operator !=, and a semicolon at
 * the end.
 *
 * Lists stand where other grammars have recursion, so that only brackets nest.
 */
grammar Query;

options {
  caseInsensitive = true;
}

statement
  : (selectStatement | updateStatement | deleteStatement) EOF
  ;

selectStatement
  : selectClause? fromClause? whereClause? groupClause? havingClause? orderClause? limitClause?
  ;

selectClause
  : SELECT DISTINCT? selection (COMMA selection)*
  ;

selection
  : STAR
  | condition (AS? alias)?
  ;

fromClause
  : FROM source joined*
  ;

source
  : path (AS? alias)?
  ;

joined
  : COMMA source
  | (INNER | LEFT OUTER?)? JOIN source (ON condition)?
  ;

whereClause
  : WHERE condition
  ;

groupClause
  : GROUP BY condition (COMMA condition)*
  ;

havingClause
  : HAVING condition
  ;

orderClause
  : ORDER BY orderItem (COMMA orderItem)*
  ;

orderItem
  : condition (ASC | DESC)? (NULLS (FIRST | LAST))?
  ;

limitClause
  : LIMIT value (OFFSET value)?
  | OFFSET value
  ;

updateStatement
  : UPDATE source SET assignment (COMMA assignment)* whereClause?
  ;

assignment
  : path EQ condition
  ;

deleteStatement
  : DELETE FROM? source whereClause?
  ;

condition
  : conjunction (OR conjunction)*
  ;

conjunction
  : negation (AND negation)*
  ;

negation
  : NOT* predicate
  ;

predicate
  : value test?
  | EXISTS LPAREN (SELECT condition)? FROM path (AS? alias)? whereClause? RPAREN
  ;

/* What follows a value; no alternative starts as another does, so that nested brackets are read once. */
test
  : comparison value                                      # compareTest
  | NOT? BETWEEN value AND value                          # betweenTest
  | NOT? IN (LPAREN condition (COMMA condition)* RPAREN | parameter) # inTest
  | NOT? LIKE value (ESCAPE value)?                       # likeTest
  | NOT? MEMBER OF? path                                  # memberTest
  | IS NOT? (NULL | EMPTY)                                # isTest
  ;

comparison
  : EQ
  | NE
  | LT
  | LE
  | GT
  | GE
  ;

value
  : term ((PLUS | MINUS | CONCAT) term)*
  ;

term
  : factor ((STAR | SLASH | PERCENT) factor)*
  ;

factor
  : (PLUS | MINUS)* primary
  ;

primary
  : literal                                                            # literalPrimary
  | parameter                                                          # parameterPrimary
  | LOCAL (DATE | TIME | DATETIME)                                     # nowPrimary
  | CASE operand=condition? whenBranch+ (ELSE otherwise=condition)? END # casePrimary
  | CAST LPAREN condition AS name RPAREN                               # castPrimary
  | EXTRACT LPAREN name FROM condition RPAREN                          # extractPrimary
  | TRIM LPAREN (LEADING | TRAILING | BOTH)? what=condition? (FROM from=condition)? RPAREN # trimPrimary
  | name LPAREN (STAR | DISTINCT? condition (COMMA condition)*)? RPAREN # callPrimary
  | path                                                               # pathPrimary
  | LPAREN condition RPAREN                                            # nestedPrimary
  ;

whenBranch
  : WHEN condition THEN condition
  ;

literal
  : STRING
  | INTEGER
  | DECIMAL
  | TRUE
  | FALSE
  | NULL
  ;

parameter
  : COLON name
  | QUESTION INTEGER
  ;

path
  : name EACH? (DOT member EACH?)*
  ;

name
  : IDENTIFIER
  | QUOTED
  | softWord
  | LEFT
  | INNER
  | OUTER
  | SET
  ;

alias
  : IDENTIFIER
  | QUOTED
  | softWord
  ;

/* Words of the language that name fields as well. */
softWord
  : BOTH
  | CAST
  | DATE
  | DATETIME
  | EMPTY
  | ESCAPE
  | EXTRACT
  | FIRST
  | LAST
  | LEADING
  | LOCAL
  | MEMBER
  | OF
  | TIME
  | TRAILING
  | TRIM
  ;

/* After a dot each word is a name. */
member
  : name
  | AND
  | AS
  | ASC
  | BETWEEN
  | BY
  | CASE
  | DELETE
  | DESC
  | DISTINCT
  | ELSE
  | END
  | EXISTS
  | FALSE
  | FROM
  | GROUP
  | HAVING
  | IN
  | IS
  | JOIN
  | LIKE
  | LIMIT
  | NOT
  | NULL
  | NULLS
  | OFFSET
  | ON
  | OR
  | ORDER
  | SELECT
  | THEN
  | TRUE
  | UPDATE
  | WHEN
  | WHERE
  ;

AND: 'and';
AS: 'as';
ASC: 'asc';
BETWEEN: 'between';
BOTH: 'both';
BY: 'by';
CASE: 'case';
CAST: 'cast';
DATE: 'date';
DATETIME: 'datetime';
DELETE: 'delete';
DESC: 'desc';
DISTINCT: 'distinct';
ELSE: 'else';
EMPTY: 'empty';
END: 'end';
ESCAPE: 'escape';
EXISTS: 'exists';
EXTRACT: 'extract';
FALSE: 'false';
FIRST: 'first';
FROM: 'from';
GROUP: 'group';
HAVING: 'having';
IN: 'in';
INNER: 'inner';
IS: 'is';
JOIN: 'join';
LAST: 'last';
LEADING: 'leading';
LEFT: 'left';
LIKE: 'like';
LIMIT: 'limit';
LOCAL: 'local';
MEMBER: 'member';
NOT: 'not';
NULL: 'null';
NULLS: 'nulls';
OF: 'of';
OFFSET: 'offset';
ON: 'on';
OR: 'or';
ORDER: 'order';
OUTER: 'outer';
SELECT: 'select';
SET: 'set';
THEN: 'then';
TIME: 'time';
TRAILING: 'trailing';
TRIM: 'trim';
TRUE: 'true';
UPDATE: 'update';
WHEN: 'when';
WHERE: 'where';

EQ: '=';
NE: '<>' | '!=';
LE: '<=';
LT: '<';
GE: '>=';
GT: '>';
CONCAT: '||';
PLUS: '+';
MINUS: '-';
STAR: '*';
SLASH: '/';
PERCENT: '%';
LPAREN: '(';
RPAREN: ')';
EACH: '[]';
COMMA: ',';
DOT: '.';
COLON: ':';
QUESTION: '?';

STRING: '\'' (~['] | '\'\'')* '\'';
INTEGER: [0-9]+ ('l' | 'bi')?;
DECIMAL: ([0-9]+ '.' [0-9]* | '.' [0-9]+) EXPONENT? SUFFIX? | [0-9]+ (EXPONENT SUFFIX? | SUFFIX);
fragment EXPONENT: 'e' [+-]? [0-9]+;
fragment SUFFIX: 'f' | 'd' | 'bd';

QUOTED: '"' ~["]+ '"' | '`' ~[`]+ '`';
IDENTIFIER: [\p{L}_$] [\p{L}\p{Nd}_$]*;
SPACES: [ \t\r\n\u000C]+ -> skip;
COMMENT: COMMENTED '*'+ '/' -> skip;
fragment COMMENTED: '/*' (~[*] | '*'+ ~[*/])*;

/* Other languages end a statement so. */
SEMICOLON: ';' ([ \t\r\n\u000C] | COMMENTED '*'+ '/')* EOF -> skip;

/* One token to the end: otherwise each further start of a comment would look for its end as well. */
UNENDED: COMMENTED '*'* EOF -> type(UNKNOWN);

/* What no rule above takes: the parser reports it with its place. */
UNKNOWN: .;
