import {
  ArrayType,
  type Context,
  type DeclarationReflection,
  IntrinsicType,
  LiteralType,
  ReferenceType,
  type SomeType,
  TemplateLiteralType,
  TypeOperatorType,
  UnionType,
} from 'typedoc';
import ts from 'typescript';

const text = new IntrinsicType('string');

/** The strings of a literal, of a union of literals, or of a list of these; none of any other type. */
const stringsIn = (type: ts.Type | undefined, checker: ts.TypeChecker): readonly string[] => {
  if (type === undefined) return [];
  const elements = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  const parts = elements ?? type;
  return (parts.isUnion() ? parts.types : [parts]).flatMap((part) =>
    part.isStringLiteral() ? [part.value] : [],
  );
};

/** The values that a type names: its codes, or references such as `Patient/${string}`. */
const namedValues = (codes: readonly string[], resourceTypes: readonly string[]): readonly SomeType[] => [
  ...codes.map((code) => new LiteralType(code)),
  ...resourceTypes.map((type) => new TemplateLiteralType(`${type}/`, [[text, '']])),
];

/** A text, or several of them. */
const texts = new UnionType([text, new TypeOperatorType(new ArrayType(text), 'readonly')]);

/**
 * Shows the values of a search parameter, such as `SearchValues<'active' | 'completed'>`, in place of its entry in a table; `string` if
 * it can be any text.
 */
export const showSearchValues = (
  { checker, project }: Pick<Context, 'checker' | 'project'>,
  reflection: DeclarationReflection,
  symbol: ts.Symbol,
): void => {
  const { type } = reflection;
  if (!(type instanceof ReferenceType) || type.name !== 'SearchValues') return;
  const [entry] = checker.getNonNullableType(checker.getTypeOfSymbol(symbol)).aliasTypeArguments ?? [];
  const stringsOf = (name: string): readonly string[] => {
    const member = entry?.getProperty(name);
    return stringsIn(member && checker.getTypeOfSymbol(member), checker);
  };
  const values = namedValues([...stringsOf('codes'), ...stringsOf('knownCodes')], stringsOf('types'));
  project.removeTypeReflections(type);
  const [value = text, ...others] = values;
  type.typeArguments = [others.length === 0 ? value : new UnionType([value, ...others])];
  if (values.length === 0) reflection.type = texts;
  // The value in the table.
  delete reflection.defaultValue;
};
