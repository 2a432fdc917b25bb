import ts from 'typescript';
import { documentationOf } from '../docs/documentation-of.ts';

type Insertion = { readonly at: number; readonly text: string };

/** The arguments of a generic type, as it is written. */
const argumentsOf = (type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] =>
  type.aliasTypeArguments ?? checker.getTypeArguments(type as ts.TypeReference);

/** The docstrings that a written type lacks, from the type in the source. Null if these are two different types. */
const findMissing = (
  node: ts.TypeNode,
  type: ts.Type,
  checker: ts.TypeChecker,
): readonly Insertion[] | null => {
  const visitAll = (pairs: readonly (readonly [ts.TypeNode | undefined, ts.Type | undefined])[]) => {
    const found = pairs.map(([one, ofOne]) => (one && ofOne ? findMissing(one, ofOne, checker) : []));
    return found.includes(null) ? null : found.flatMap((one) => one ?? []);
  };
  if (ts.isFunctionTypeNode(node)) {
    return visitAll([[node.type, type.getCallSignatures()[0]?.getReturnType()]]);
  }
  if (ts.isTypeReferenceNode(node)) {
    const given = argumentsOf(type, checker);
    return visitAll((node.typeArguments ?? []).map((one, at) => [one, given[at]]));
  }
  if (!ts.isTypeLiteralNode(node)) return [];
  const members = node.members.filter(ts.isPropertySignature).map((member) => ({
    member,
    property: type.getProperty(member.name.getText().replaceAll(/^["']|["']$/g, '')),
  }));
  if (members.some(({ property }) => property === undefined)) return null;
  const own = members.flatMap(({ member, property }): readonly Insertion[] => {
    const doc = property === undefined ? '' : documentationOf(property, checker);
    if (doc === '' || ts.getJSDocCommentsAndTags(member).length > 0) return [];
    const at = member.getStart();
    const { character } = member.getSourceFile().getLineAndCharacterOfPosition(at);
    return [{ at, text: `/** ${doc.replaceAll('\n', ' ')} */\n${' '.repeat(character)}` }];
  });
  const inner = visitAll(
    members.map(({ member, property }) => [member.type, property && checker.getTypeOfSymbol(property)]),
  );
  return inner && [...own, ...inner];
};

const constantsOf = ({ statements }: ts.SourceFile): readonly ts.VariableDeclaration[] =>
  statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) => declarationList.declarations);

/**
 * The declarations of a package with the docstrings of its sources. TypeScript leaves those of the elements of a schema
 * out, because it infers their types. An editor would show none.
 */
export const withDocstrings = (
  declarations: string,
  sources: readonly ts.SourceFile[],
  checker: ts.TypeChecker,
): string => {
  const file = ts.createSourceFile('index.d.ts', declarations, ts.ScriptTarget.Latest, true);
  const written = sources.flatMap(constantsOf);
  const insertions = constantsOf(file).flatMap(({ name, type }) => {
    // A bundle gives constants of the same name numbers, such as `updateBody$1`.
    const [own = ''] = name.getText().split('$');
    const sameName = written.filter((one) => one.name.getText() === own);
    const found = sameName.map(
      (one) => (type && findMissing(type, checker.getTypeAtLocation(one.name), checker)) ?? [],
    );
    return found.toSorted((one, other) => other.length - one.length)[0] ?? [];
  });
  return insertions
    .toSorted((one, other) => other.at - one.at)
    .reduce((text, one) => `${text.slice(0, one.at)}${one.text}${text.slice(one.at)}`, declarations);
};
