import { walkObjects } from './walk-objects.ts';

/**
 * Whether a value contains a `modifierExtension` at any depth. It may turn the meaning of the rest around. Source: FHIR
 * R4, Extensibility, 2.4.0.1.1.
 */
export const hasModifierExtension = (value: unknown): boolean =>
  walkObjects(value).some((part) => 'modifierExtension' in part && part.modifierExtension !== undefined);
