import { Application, Comment, Converter, ReflectionKind } from 'typedoc';
import { documentationOf } from './documentation-of.ts';
import { showSearchValues } from './search-values.ts';

/**
 * A plugin of TypeDoc. An element of a schema without a docstring has the sentence of its `describe`, and a search parameter has its
 * values. Each property of a type of options must have a docstring. Other properties may have one, if it says more than the name.
 */
export const load = (app: Application): void => {
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    const symbol = context.getSymbolFromReflection(reflection);
    if (reflection.kind !== ReflectionKind.Property || symbol === undefined) return;
    showSearchValues(context, reflection, symbol);
    if (reflection.hasComment()) return;
    const text = documentationOf(symbol, context.checker);
    if (text !== '') reflection.comment = new Comment([{ kind: 'text', text }]);
  });
  app.on(Application.EVENT_VALIDATE_PROJECT, (project) => {
    for (const property of project.getReflectionsByKind(ReflectionKind.Property)) {
      const name = property.getFriendlyFullName().replaceAll('.__type', '');
      if (/Options\./.test(name) && !property.hasComment()) {
        app.logger.validationWarning(`The option ${name} has no docstring.`);
      }
    }
  });
};
