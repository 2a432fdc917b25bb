import {
  elementOf,
  type Field,
  type Fields,
  searchKindOf,
  type TypeFields,
  valueNameOf,
} from '../host-fields/host-extension.ts';
import {
  elementsAt,
  type IndexedParameter,
  indexedKinds,
  type StoredParameterTable,
} from './index-entries.ts';

/** The extension of a field in a resource. */
type ReadExtension = { readonly url?: unknown; readonly [value: string]: unknown };

/** The search parameter of a field. Its version names all on which its values depend. */
const createParameter = ({ url, extension }: Field): IndexedParameter<never> | null => {
  const kind = searchKindOf(extension);
  if (kind === null) return null;
  const element = elementOf(extension);
  const path = element === '' ? ['extension'] : [element, 'extension'];
  const valueName = valueNameOf(extension);
  const values = (resource: object): readonly unknown[] =>
    elementsAt(resource, [path]).flatMap((found) => {
      const read = found as ReadExtension | null;
      return read?.url === url && read[valueName] !== undefined ? [read[valueName]] : [];
    });
  const version = `${url} ${extension.on} ${extension.value}`;
  switch (kind) {
    case 'date':
      return {
        kind,
        version,
        at: (resource, zone) =>
          values(resource).flatMap((value) => indexedKinds.date.valuesOf(value, { zone, system: undefined })),
      };
    case 'string':
      return { kind, version, at: (resource) => values(resource).map(String) };
    case 'token':
      return {
        kind,
        ...(extension.value === 'boolean' && { codes: ['true', 'false'] }),
        version,
        at: (resource, zone) =>
          values(resource).flatMap((value) =>
            indexedKinds.token.valuesOf(value, { zone, system: undefined }),
          ),
      };
  }
};

const createParameters = (ofType: TypeFields): StoredParameterTable =>
  Object.fromEntries(
    [...ofType.values()].flatMap((ofElement) =>
      [...ofElement.values()].flatMap((field) => {
        const { search } = field.extension;
        const parameter = search === undefined ? null : createParameter(field);
        return parameter === null ? [] : [[search, parameter]];
      }),
    ),
  );

/** The parameters of types with fields. One table means one indexer. */
const tables = new WeakMap<TypeFields, StoredParameterTable>();

/** The facts about a type, with the search parameters of its fields. */
export const withFieldParameters = <
  Facts extends { readonly type: string; readonly parameters: StoredParameterTable },
>(
  facts: Facts,
  fields: Fields | undefined,
): Facts => {
  const ofType = fields?.get(facts.type);
  if (ofType === undefined) return facts;
  const parameters = tables.get(ofType) ?? { ...facts.parameters, ...createParameters(ofType) };
  tables.set(ofType, parameters);
  return { ...facts, parameters };
};
