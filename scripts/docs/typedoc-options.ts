import { Application, ReflectionKind } from 'typedoc';

/**
 * A plugin of TypeDoc: each property of a type of options must have a docstring. Other properties may have one, if it says more
 * than the name.
 */
export const load = (app: Application): void => {
  app.on(Application.EVENT_VALIDATE_PROJECT, (project) => {
    for (const property of project.getReflectionsByKind(ReflectionKind.Property)) {
      const name = property.getFriendlyFullName().replaceAll('.__type', '');
      if (/Options\./.test(name) && !property.hasComment()) {
        app.logger.validationWarning(`The option ${name} has no docstring.`);
      }
    }
  });
};
