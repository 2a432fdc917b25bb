import ts from 'typescript';

/** The sentence with which a schema describes itself, in a chain of calls such as `text.optional().describe('…')`. */
const descriptionIn = (schema: ts.Expression): string | undefined => {
  if (!ts.isCallExpression(schema) || !ts.isPropertyAccessExpression(schema.expression)) return undefined;
  const { name, expression: before } = schema.expression;
  const [sentence] = schema.arguments;
  return name.text === 'describe' && sentence !== undefined && ts.isStringLiteralLike(sentence)
    ? sentence.text
    : descriptionIn(before);
};

/**
 * The docstring of a property, or for an element of a schema the sentence of its `describe`, which the JSON Schemas show, too.
 * Empty if it has neither.
 */
export const documentationOf = (property: ts.Symbol, checker: ts.TypeChecker): string => {
  const docstring = ts.displayPartsToString(property.getDocumentationComment(checker));
  if (docstring !== '') return docstring;
  const elements = property.getDeclarations()?.filter(ts.isPropertyAssignment) ?? [];
  return elements.map(({ initializer }) => descriptionIn(initializer)).find(Boolean) ?? '';
};
