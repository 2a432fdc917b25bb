import { onceFor } from '../../packages/core/src/lazy.ts';
import { codesOf, type Definition, readType } from './definitions.ts';

/** An element of a type of FHIR R4. Each type of a choice is an element of its own. */
export type ElementOfType = {
  /** The name in JSON, such as `note` or `occurrenceDateTime`. */
  readonly name: string;
  /** The name of the choice of which it is one, such as `occurrence[x]`; its own name if it is none. */
  readonly choice: string;
  readonly isRequired: boolean;
  readonly isList: boolean;
  /** The type or its profile, such as `Reference` or `SimpleQuantity`; null if the element has elements of its own. */
  readonly type: string | null;
  /** The elements within it, if it has no type of its own. */
  readonly elements: () => readonly ElementOfType[];
  /** The codes of the value set that FHIR requires; empty if any code is allowed. */
  readonly codes: readonly string[];
  /** The types to which it can refer. */
  readonly targets: readonly string[];
};

/** The elements that Medplum adds to FHIR's. */
const addedByMedplum = /^Meta\.(?:project|author|onBehalfOf|accounts?|compartment|deleted)$/;

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The name of a type or a profile at the end of its URL. */
const nameOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

const elementsBelow = (definition: Definition, parent: string): readonly ElementOfType[] => {
  const { element: all } = definition.snapshot;
  const depth = parent.split('.').length;
  return all
    .filter(({ path }) => path.startsWith(`${parent}.`) && path.split('.').length === depth + 1)
    .filter(({ path, max }) => max !== '0' && !addedByMedplum.test(path))
    .flatMap(({ path, min, max, type = [], contentReference, binding }): readonly ElementOfType[] => {
      const choice = path.slice(parent.length + 1);
      const isInner = all.some((one) => one.path.startsWith(`${path}.`));
      const inner = contentReference?.slice(1) ?? path;
      const common = {
        choice,
        isRequired: min > 0,
        isList: max !== '1',
        elements: () => elementsBelow(definition, inner),
      };
      if (isInner || contentReference !== undefined)
        return [{ ...common, name: choice, type: null, codes: [], targets: [] }];
      return type.map(({ code, profile: [profile = code] = [], targetProfile = [] }) => ({
        ...common,
        name: choice.replace('[x]', capitalize(code)),
        type: code.startsWith('http:') ? 'id' : nameOf(profile),
        codes:
          binding?.strength === 'required' && code === 'code' ? [...codesOf(binding.valueSet ?? '')] : [],
        targets: targetProfile.map(nameOf),
      }));
    });
};

/** The elements of a type of FHIR R4: of a resource or of a data type. */
export const elementsOf = onceFor((name: string): readonly ElementOfType[] => {
  const definition = readType(name);
  return elementsBelow(definition, definition.type);
});
