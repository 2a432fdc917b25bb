import { issueRuleSystem, type JsonSchema } from '@clinical-records/core/adapter';
import { isAuditType } from '../access/scopes.ts';
import { errorCategories } from '../errors.ts';
import type { PreferredReturn } from '../http.ts';
import { isConditionalCreate, type ResourceRoute, type Route } from '../routes/route.ts';
import { contentOf, headerRefs, schemaRef, type TypeDescription, textSchema } from './parameters.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

/** An object that has all of the properties, and may have the optional ones. */
const objectSchemaOf = (properties: Properties, optional: Properties = {}) => ({
  type: 'object',
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
});

const fullUrlSchema = {
  type: 'string',
  format: 'uri',
  description: 'The URL of the resource; absent if links are relative.',
};

const searchModeSchemaOf = (mode: 'match' | 'include' | 'outcome'): JsonSchema =>
  objectSchemaOf({ mode: { type: 'string', const: mode } });

const searchEntrySchemaOf = (resource: JsonSchema, mode: 'match' | 'include' | 'outcome'): JsonSchema => ({
  type: 'object',
  properties: { fullUrl: fullUrlSchema, resource, search: searchModeSchemaOf(mode) },
  required: ['resource', 'search'],
});

/** A resource to which a match refers, or which refers to a match. */
const includedResourceSchema = objectSchemaOf({ resourceType: textSchema, id: textSchema });

/** A match that lacks elements, because `_summary` or `_elements` leaves them out. */
const subsettedSchema = objectSchemaOf({
  resourceType: textSchema,
  id: textSchema,
  meta: objectSchemaOf({
    tag: { type: 'array', contains: objectSchemaOf({ code: { ...textSchema, const: 'SUBSETTED' } }) },
  }),
});

/** A bundle with entries: further elements of the bundle, and of each entry. */
const bundleSchemaOf = (bundle: JsonSchema, entry: JsonSchema): JsonSchema => ({
  allOf: [
    bundle,
    {
      type: 'object',
      properties: {
        entry: {
          type: 'array',
          description: 'Absent if the page is empty: FHIR does not allow empty arrays.',
          items: entry,
        },
      },
    },
  ],
});

/** A bundle that need not say how many resources there are. */
const uncountedBundleSchema = objectSchemaOf({
  resourceType: { ...textSchema, const: 'Bundle' },
  type: { ...textSchema, const: 'searchset' },
  link: { type: 'array', items: { type: 'object', properties: { relation: textSchema, url: textSchema } } },
});

const searchBundleSchemaOf = (type: string): JsonSchema => {
  const match = searchEntrySchemaOf(schemaRef(type), 'match');
  const entries = [match, searchEntrySchemaOf(schemaRef('Ignored'), 'outcome')];
  if (isAuditType(type)) return bundleSchemaOf(uncountedBundleSchema, { anyOf: entries });
  if (type !== 'Provenance') {
    entries.push(
      searchEntrySchemaOf(subsettedSchema, 'match'),
      searchEntrySchemaOf(includedResourceSchema, 'include'),
    );
  }
  return bundleSchemaOf(schemaRef('Bundle'), { anyOf: entries });
};

const historyBundleSchemaOf = (type: string): JsonSchema =>
  bundleSchemaOf(schemaRef('HistoryBundle'), {
    allOf: [
      schemaRef('HistoryEntry'),
      {
        type: 'object',
        properties: { fullUrl: fullUrlSchema, resource: schemaRef(type) },
        required: ['resource'],
      },
    ],
  });

const readResponsesOf = (type: string, description: string) => ({
  200: { description, content: contentOf(schemaRef(type)), headers: headerRefs('ETag', 'Last-Modified') },
  304: {
    description: '`If-None-Match` names the version',
    headers: headerRefs('ETag', 'Last-Modified'),
  },
});

/** The options of the handler that change its responses. */
export type ServedOptions = {
  readonly defaultReturn: PreferredReturn;
  readonly isLimitedInFlight: boolean;
  /** Whether rules of the host judge the writes of any type. */
  readonly hasRules: boolean;
};

/** The options that change the response to a write. */
type WriteOptions = Pick<ServedOptions, 'defaultReturn' | 'hasRules'>;

/** The response to a write, which can show what was written. It has the version, and other headers. */
export const writeResponseOf = (
  type: string,
  { defaultReturn, hasRules }: WriteOptions,
  ...others: readonly 'Location'[]
) => {
  const warnings = hasRules ? (['X-Warning-Count'] as const) : [];
  const [description, ...bodies] =
    defaultReturn === 'minimal'
      ? ['`null`, or the resource if `Prefer: return=representation` asks for it', { type: 'null' }]
      : [
          'The resource; without a body if `Prefer: return=minimal` asks for that, or the sender may not read it',
        ];
  return {
    description: `${description}; what happened if \`Prefer: return=OperationOutcome\` asks for that`,
    content: contentOf({ anyOf: [...bodies, schemaRef(type), schemaRef('Succeeded')] }),
    headers: headerRefs('ETag', 'Last-Modified', 'Preference-Applied', ...warnings, ...others),
  };
};

/** The words of an operation that only validates. */
export const validationVariant = { id: 'Validation', words: ', only as a validation' } as const;

/** The response to a validation: the issues of what was sent, or that there are none. */
export const validationResponses = {
  200: {
    description: 'What the write would be refused for, or that it is possible, with its warnings',
    content: contentOf({ anyOf: [schemaRef('Succeeded'), schemaRef('OperationOutcome')] }),
    headers: headerRefs(),
  },
};

/** The response of a route to a request that succeeded. */
export const successResponseOf = (
  route: ResourceRoute,
  { isVersioned }: TypeDescription,
  served: WriteOptions,
) => {
  const { type, interaction, isValidation } = route;
  if (isValidation) return validationResponses;
  switch (interaction) {
    case 'read':
      return isVersioned
        ? readResponsesOf(type, 'The resource')
        : {
            200: { description: 'The resource', content: contentOf(schemaRef(type)), headers: headerRefs() },
          };
    case 'vread':
      return readResponsesOf(type, 'The resource as it was at that version');
    case 'history':
      return {
        200: {
          description: 'A page of the versions, newest first',
          content: contentOf(historyBundleSchemaOf(type)),
          headers: headerRefs(),
        },
      };
    case 'operation':
      return {
        200: {
          description: 'The resources',
          content: contentOf(
            bundleSchemaOf(uncountedBundleSchema, searchEntrySchemaOf(includedResourceSchema, 'match')),
          ),
          headers: headerRefs(),
        },
      };
    case 'search':
      return {
        200: {
          description: 'A page of the matches',
          content: contentOf(searchBundleSchemaOf(type)),
          headers: headerRefs(),
        },
      };
    case 'create': {
      const created = writeResponseOf(type, served, 'Location');
      if (!isConditionalCreate(route)) return { 201: created };
      return { 200: { ...created, description: 'The resource that `If-None-Exist` found' }, 201: created };
    }
    case 'update':
      return { 200: writeResponseOf(type, served) };
  }
};

const outcomeSchemaOf = (issue: JsonSchema) =>
  objectSchemaOf({
    resourceType: { ...textSchema, const: 'OperationOutcome' },
    issue: { type: 'array', items: issue },
  });

const ruleCodingSchema = objectSchemaOf({
  system: {
    ...textSchema,
    description: 'The system of the rules: that of this interface, or of the host.',
    examples: [issueRuleSystem],
  },
  code: { ...textSchema, description: 'The name of the rule, for programs.' },
});

/** An issue with something that was sent. */
const problemSchemaOf = (severity: 'error' | 'warning') =>
  objectSchemaOf(
    {
      severity: { ...textSchema, const: severity },
      code: textSchema,
      details: objectSchemaOf({ coding: { type: 'array', items: ruleCodingSchema }, text: textSchema }),
      diagnostics: { ...textSchema, description: 'A sentence about what is wrong.' },
    },
    {
      expression: {
        type: 'array',
        items: textSchema,
        description: 'The element in FHIRPath, or `http.` and the name of a parameter.',
      },
    },
  );

/** The schema of the body that `operationOutcomeOf` returns. */
export const operationOutcomeSchema = outcomeSchemaOf(problemSchemaOf('error'));

/** The schema of the outcome in a bundle, which says what was ignored. */
export const ignoredSchema = outcomeSchemaOf(problemSchemaOf('warning'));

/** The schema of the outcome of a write that succeeded. */
export const succeededSchema = outcomeSchemaOf({
  anyOf: [
    objectSchemaOf({
      severity: { ...textSchema, const: 'information' },
      code: { ...textSchema, const: 'informational' },
      details: objectSchemaOf({ text: textSchema }),
      diagnostics: { ...textSchema, description: 'A sentence about what happened.' },
    }),
    problemSchemaOf('warning'),
  ],
});

const errorHeaders: Partial<Record<string, object>> = {
  Unauthenticated: headerRefs('WWW-Authenticate'),
  NotSupported: headerRefs('Allow'),
  TooManyRequests: headerRefs('Retry-After'),
  StoreFailure: headerRefs('Retry-After'),
};

type InFlightLimit = { readonly isLimitedInFlight: boolean };

const exampleOf = ({ code, text }: { readonly code: string; readonly text: string }) => ({
  resourceType: 'OperationOutcome',
  issue: [
    {
      severity: 'error',
      code,
      details: { coding: [{ system: issueRuleSystem, code: 'name-of-the-rule' }], text },
      diagnostics: 'A sentence about what is wrong.',
    },
  ],
});

/** References to the responses of errors, by their status. */
export const errorRefs = (...names: readonly (keyof typeof errorCategories)[]) =>
  Object.fromEntries(
    names.map((name) => [errorCategories[name].status, { $ref: `#/components/responses/${name}` }]),
  );

/** The responses of all errors. Only a handler with `maxInFlight` has the 429. */
export const errorResponsesFor = ({ isLimitedInFlight }: InFlightLimit) =>
  Object.fromEntries(
    Object.entries(errorCategories)
      .filter(([name]) => isLimitedInFlight || name !== 'TooManyRequests')
      .map(([name, outcome]) => [
        name,
        {
          description: outcome.text,
          content: contentOf({ ...schemaRef('OperationOutcome'), examples: [exampleOf(outcome)] }),
          headers: errorHeaders[name] ?? headerRefs(),
        },
      ]),
  );

/** The responses of the errors that a route can have, by status. */
export const errorResponsesOf = ({ bodyFormat, errorTags }: Route, { isLimitedInFlight }: InFlightLimit) =>
  errorRefs(
    'Unauthenticated',
    'Forbidden',
    ...errorTags,
    'NotAcceptable',
    ...(bodyFormat === 'nothing' ? [] : (['ContentTooLarge', 'UnsupportedMediaType'] as const)),
    ...(isLimitedInFlight ? (['TooManyRequests'] as const) : []),
    'Unexpected',
    'StoreFailure',
  );
