import ts from 'typescript';

/** Expressions that a bundler keeps even if nothing uses their values, because they may do something else as well. */
const keptKinds: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.CallExpression,
  ts.SyntaxKind.NewExpression,
  ts.SyntaxKind.TaggedTemplateExpression,
  ts.SyntaxKind.PropertyAccessExpression,
  ts.SyntaxKind.ElementAccessExpression,
  ts.SyntaxKind.ComputedPropertyName,
  ts.SyntaxKind.SpreadElement,
  ts.SyntaxKind.SpreadAssignment,
]);

const isKept = (node: ts.Node): boolean =>
  !ts.isFunctionLike(node) && (keptKinds.has(node.kind) || ts.forEachChild(node, isKept) === true);

/**
 * A module whose constants are marked as pure, so that a bundler leaves out those that nothing uses, such as schemas. Its
 * lines stay where they are.
 */
export const withPureConstants = (module: string): string => {
  const file = ts.createSourceFile('module.ts', module, ts.ScriptTarget.Latest);
  return file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap(({ initializer }) => (initializer !== undefined && isKept(initializer) ? [initializer] : []))
    .reduceRight(
      (text, { pos, end }) =>
        `${text.slice(0, pos)} /* @__PURE__ */ (() => (${text.slice(pos, end)}))()${text.slice(end)}`,
      module,
    );
};
