import type * as z from 'zod';
import { directoryResourceTypes } from '../directory/resources.ts';
import { resourceTypes } from '../fhir/resource-type.ts';
import { isObject, isOneOf } from '../fhir/schema.ts';
import { indexedKinds } from '../search/index-entries.ts';
import { choicesOf } from './bodies.ts';
import type { AnyHostTypeSpec, HostWrite } from './model.ts';

/** The types of everything else that is stored or answered. */
const takenTypes: readonly string[] = [
  ...resourceTypes,
  ...directoryResourceTypes,
  ...['Note', 'Command', 'IdempotencyKey', 'ChartIdentifiers', 'JudgedChart', 'Correction'],
  ...[
    'AuditEvent',
    'Binary',
    'Bundle',
    'CapabilityStatement',
    'OperationOutcome',
    'Parameters',
    'Provenance',
  ],
];

/** The names that the records and their transactions have already. */
export const takenNames = [
  ...([
    'serviceRequests',
    'goals',
    'careTeams',
    'immunizations',
    'provenance',
    'chart',
    'directory',
  ] as const),
  ...([
    'resources',
    'bodies',
    'access',
    'corrections',
    'importer',
    'exporter',
    'changes',
    'feedEnd',
  ] as const),
  ...([
    'describe',
    'undefinedTypes',
    'verify',
    'copyTo',
    'reindex',
    'transaction',
    'dryRun',
    'in',
    'write',
  ] as const),
  // A service of this name would make a promise of the records.
  'then',
] as const;

/** The elements that every type has, or that none stores. */
const takenElements: readonly string[] = [
  ...['resourceType', 'id', 'meta', 'identifier', 'implicitRules', 'language', 'text', 'contained'],
  ...['extension', 'modifierExtension'],
];

/** The search parameters that every type has, and names that only a reference has. */
const takenParameters: readonly string[] = ['patient', 'subject', 'identifier'];

/** The most letters with which the ids of Provenances begin: an id of a UUID and a version follow, in 64 characters. */
const maxInitial = 22;

const options: Readonly<Record<keyof AnyHostTypeSpec, (value: unknown) => boolean>> = {
  type: (value) => typeof value === 'string' && /^[A-Z][A-Za-z]{0,63}$/.test(value),
  name: (value) => typeof value === 'string' && /^[a-z][A-Za-z0-9]{0,63}$/.test(value) && !(value in {}),
  patient: (value) => value === 'patient' || value === 'subject',
  profile: (value) => typeof value === 'string' && URL.canParse(value),
  elements: isObject,
  unstored: (value) => value === undefined || areTexts(value),
  choices: (value) => areTexts(value) && value.every((choice) => /^[a-z][A-Za-z]*\[x\]$/.test(choice)),
  identity: (value) => value === null || isObject(value),
  conforms: (value) => value === undefined || typeof value === 'function',
  search: isObject,
  references: isObject,
  people: (value) => areTexts(value),
  mandatory: (value) => areTexts(value),
  summary: (value) => areTexts(value),
  inError: (value) => typeof value === 'string',
  isEnd: (value) => typeof value === 'function',
  otherVersions: (value) => Array.isArray(value) && value.every(isObject),
  writes: (value) => areTexts(value) && value.every((write) => Object.hasOwn(writes, write)),
  initial: (value) => value === undefined || (typeof value === 'string' && /^[A-Z][A-Za-z]*$/.test(value)),
};

const writes: Readonly<Record<HostWrite, true>> = { create: true, update: true };

const areTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

/** The parts of a schema, as far as zod shows them. */
type Definition = {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly catchall?: z.ZodType;
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
};

const definitionOf = (schema: z.ZodType): Definition => schema.def as unknown as Definition;

/** The kinds of schemas that return what they were given. */
const plainKinds: readonly string[] = [
  ...['string', 'number', 'boolean', 'enum', 'literal', 'template_literal', 'any', 'custom'],
  ...['object', 'array', 'optional', 'union'],
];

/** The schemas of the parts of a schema, by their names; those of a list or a choice have none. */
const partsOf = ({
  shape = {},
  element,
  innerType,
  options: choices = [],
}: Definition): readonly (readonly [name: string, schema: z.ZodType])[] => [
  ...Object.entries(shape),
  ...[element, innerType, ...choices].flatMap((part) => (part === undefined ? [] : [['', part] as const])),
];

/** The mistake in the schema of an element; null if it keeps what was sent, and refuses what it does not know. */
const findLossIn = (schema: z.ZodType, path: string): string | null => {
  const definition = definitionOf(schema);
  if (!plainKinds.includes(definition.type))
    return `${path} has a schema of the kind ${definition.type}, which does not return what was sent.`;
  const isOpen = definition.type === 'object' && definitionOf(definition.catchall ?? schema).type !== 'never';
  if (isOpen) return `${path} drops elements that it does not know. Make it with element().`;
  for (const [name, part] of partsOf(definition)) {
    const loss = findLossIn(part, name === '' ? path : `${path}.${name}`);
    if (loss !== null) return loss;
  }
  return null;
};

/** Whether a path leads through the schemas of some elements. */
const leadsTo = (elements: Readonly<Record<string, z.ZodType>>, path: string): boolean => {
  const [name = '', ...inner] = path.split('.');
  const schema = Object.hasOwn(elements, name) ? elements[name] : undefined;
  if (schema === undefined) return false;
  return inner.length === 0 || leadsIn(schema, inner.join('.'));
};

const leadsIn = (schema: z.ZodType, path: string): boolean => {
  const { shape, ...definition } = definitionOf(schema);
  if (shape !== undefined) return leadsTo(shape, path);
  return partsOf(definition).some(([, part]) => leadsIn(part, path));
};

/** Whether the schema of a part, at some names within it, is of one value, and no list is on the way. */
const isOfOne = (schema: z.ZodType | undefined, [name, ...inner]: readonly string[]): boolean => {
  if (schema === undefined) return false;
  const { shape, element, ...definition } = definitionOf(schema);
  if (element !== undefined) return false;
  if (shape !== undefined) return name === undefined || isOfOne(shape[name], inner);
  const parts = partsOf(definition);
  return (
    parts.length === 0 || parts.some(([, part]) => isOfOne(part, name === undefined ? [] : [name, ...inner]))
  );
};

/** Whether a schema takes references to patients, and nothing else. */
const refersToPatient = (schema: z.ZodType | undefined): boolean => {
  const takes = (sent: unknown): boolean => schema?.safeParse(sent).success === true;
  const others = [undefined, { display: 'Amy' }, { reference: 'Group/7' }];
  return takes({ reference: 'Patient/7' }) && !others.some(takes);
};

function* findMistakes(spec: AnyHostTypeSpec): Generator<string> {
  const { type, name, elements, patient, search, references, inError, people, mandatory, summary } = spec;
  const { identity } = spec;
  if (isOneOf(takenNames)(name)) yield `The records have ${name} already.`;
  if (takenTypes.includes(type)) yield `The type ${type} is one of the library's own.`;
  if ((spec.initial ?? type).length > maxInitial)
    yield `initial must have at most ${maxInitial} letters, as the ids of Provenances begin with it.`;
  if (!refersToPatient(Object.hasOwn(elements, patient) ? elements[patient] : undefined))
    yield `elements.${patient} must be reference('Patient'): each resource belongs to the chart of one.`;
  for (const [element, schema] of Object.entries(elements)) {
    if (takenElements.includes(element)) yield `elements cannot have ${element}.`;
    if (!isSchema(schema)) yield `elements.${element} must be a schema.`;
    else {
      const loss = findLossIn(schema, `elements.${element}`);
      if (loss !== null) yield loss;
    }
  }
  for (const [parameter, declared] of Object.entries<Record<string, unknown>>(search)) {
    if (!/^[a-z][a-z0-9-]*$/.test(parameter) || takenParameters.includes(parameter))
      yield `search cannot have ${parameter}.`;
    yield* findParameterMistakes(elements, parameter, declared);
  }
  for (const [reference, path] of Object.entries(references))
    if (typeof path !== 'string' || !leadsTo(elements, path))
      yield `references.${reference} leads to no element.`;
  for (const [name, path] of Object.entries(identity ?? {}))
    if (!['concept', 'date'].includes(name) || typeof path !== 'string' || !leadsTo(elements, path))
      yield `identity.${name} leads to no element.`;
  for (const [index, names] of choicesOf(spec).entries())
    if (names.length < 2) yield `choices has ${spec.choices[index]}, of which there are not two elements.`;
  if (!leadsTo(elements, inError)) yield 'inError leads to no element.';
  for (const [option, names] of Object.entries({ people, mandatory, summary }))
    for (const element of names)
      if (!element.endsWith('[x]') && !Object.hasOwn(elements, element))
        yield `${option} names ${element}, which is not an element.`;
}

const isSchema = (value: unknown): boolean => isObject(value) && isObject(value.def);

function* findParameterMistakes(
  elements: AnyHostTypeSpec['elements'],
  name: string,
  { kind, at, version, isSingle }: Readonly<Record<string, unknown>>,
): Generator<string> {
  if (typeof kind !== 'string' || !Object.hasOwn(indexedKinds, kind))
    yield `search.${name}.kind must be one of ${Object.keys(indexedKinds).join(', ')}.`;
  if (typeof at === 'function') {
    if (typeof version !== 'number') yield `search.${name} computes its values, so it needs a version.`;
    return;
  }
  const paths = [at].flat();
  const isPath = (path: unknown): boolean => typeof path === 'string' && leadsTo(elements, path);
  if (paths.length === 0 || !paths.every(isPath)) yield `search.${name}.at leads to no element.`;
  else if (isSingle !== undefined) {
    const [element = '', ...inner] = String(paths[0]).split('.');
    if (paths.length > 1 || !isOfOne(elements[element], inner))
      yield `search.${name} cannot have isSingle: at may lead to several values.`;
  }
}

/** Throws a TypeError for a name that cannot be that of a type of a host. */
export const checkType = (caller: string, type: unknown): void => {
  if (!options.type(type) || takenTypes.includes(String(type)))
    throw new TypeError(`${caller}: ${String(type)} cannot be a type of yours.`);
};

/** Throws a TypeError for a mistake in what a host says of a type, which only the compiler would find otherwise. */
export const checkSpec = (spec: AnyHostTypeSpec): void => {
  const fail = (sentence: string): never => {
    throw new TypeError(`defineResource(${isObject(spec) ? String(spec.type) : ''}): ${sentence}`);
  };
  if (!isObject(spec)) fail('it takes an object.');
  for (const name of Object.keys(spec))
    if (!Object.hasOwn(options, name))
      fail(`there is no ${name}. There are ${Object.keys(options).join(', ')}.`);
  for (const [name, isRight] of Object.entries(options))
    if (!isRight(spec[name as keyof AnyHostTypeSpec])) fail(`${name} is missing, or not valid.`);
  for (const sentence of findMistakes(spec)) fail(sentence);
};
