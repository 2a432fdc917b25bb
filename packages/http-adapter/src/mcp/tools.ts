import { isValues } from './protocol.ts';
import { type Proposal, plainly, proposals, typeWords } from './words.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The arguments of a call, of which nothing is known but their names. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A request of the interface, without its headers. */
type ToolRequest = {
  readonly method: 'GET' | 'POST';
  /** The path below the base path. */
  readonly path: string;
  readonly query: string;
  readonly body?: string;
};

/** A tool, as `tools/list` describes it. */
type ToolDescription = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: false };
};

/** One endpoint of the interface as a tool. */
export type Tool = {
  readonly description: ToolDescription;
  /** Whether its answer has pages. */
  readonly hasPages: boolean;
  /** The request of a call. Whatever its arguments are, there is one: the handler judges them. */
  readonly toRequest: (sent: Arguments) => ToolRequest;
};

/** The parts of the OpenAPI document that are read. */
export type InterfaceDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | undefined>>>>;
};

type Operation = { readonly parameters?: readonly unknown[]; readonly requestBody?: unknown };

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema?: unknown;
};

/** Follows a reference within the document. */
const resolve = (document: object, value: unknown): unknown => {
  if (!isValues(value) || typeof value.$ref !== 'string') return value;
  const target = value.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (isValues(at) ? at[key.replaceAll('~1', '/')] : undefined), document);
  return resolve(document, target);
};

/** The keywords of schemas that say something to a reader. The handler checks all of them. */
const keptKeywords: readonly string[] = [
  ...['type', 'enum', 'const', 'description', 'format', 'examples', 'minimum'],
  ...['properties', 'required', 'items', 'anyOf', 'oneOf'],
];

/** A schema as short as it can be: a model reads all tools before each of its steps. */
const shorten = (document: object, schema: unknown): unknown => {
  const resolved = resolve(document, schema);
  if (Array.isArray(resolved)) return resolved.map((item) => shorten(document, item));
  if (!isValues(resolved)) return resolved;
  return Object.fromEntries(
    Object.entries(resolved)
      .filter(([name]) => keptKeywords.includes(name))
      .map(([name, value]) => [
        name,
        name === 'properties' && isValues(value)
          ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shorten(document, part)]))
          : shorten(document, value),
      ]),
  );
};

/** The parameters of every result that help an agent. Others work, too. */
const offeredResults: readonly string[] = ['_id', '_type', '_since', '_sort', '_count', '_offset'];

const isOffered = ({ name, in: place }: Parameter): boolean =>
  place === 'path' || (place === 'query' && (!name.startsWith('_') || offeredResults.includes(name)));

/** The parameters of an operation. `subject` is `patient` with another name. */
const parametersOf = (document: object, { parameters = [] }: Operation): readonly Parameter[] => {
  const offered = parameters.map((parameter) => resolve(document, parameter) as Parameter).filter(isOffered);
  const hasPatient = offered.some(({ name }) => name === 'patient');
  return hasPatient ? offered.filter(({ name }) => name !== 'subject') : offered;
};

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const readTool = (
  named: Pick<ToolDescription, 'name' | 'title' | 'description'>,
  path: string,
  parameters: readonly Parameter[],
  defaults: Arguments = {},
): Tool => ({
  description: {
    ...named,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        parameters.map(({ name, description = '', schema }) => {
          const isCount = isValues(schema) && schema.type === 'integer';
          return [name, { type: isCount ? 'integer' : 'string', description: plainly(description) }];
        }),
      ),
      required: parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
    },
    annotations: { readOnlyHint: true, destructiveHint: false },
  },
  hasPages: !path.endsWith('/{id}'),
  toRequest: (sent) => {
    const { id, ...others } = sent;
    const parameters = { ...defaults, ...(path.includes('{id}') ? others : sent) };
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters))
      for (const one of [value].flat()) query.append(name, toText(one));
    return {
      method: 'GET',
      path: path.replace('{id}', () => encodeURIComponent(toText(id ?? ''))),
      query: query.toString(),
    };
  },
});

const wordsOf = (type: string) =>
  typeWords.get(type) ?? { one: `a resource of type ${type}`, many: `resources of type ${type}` };

/** The tools of types of FHIR: to read one resource, and to search. Provenance and the audit are for people. */
const toolsOfType = (document: object, path: string, operation: Operation): readonly Tool[] => {
  const [, type = '', isOne] = /^\/([A-Z][A-Za-z]*)(\/\{id\})?$/.exec(path) ?? [];
  if (type === '' || type === 'Provenance' || type === 'AuditEvent') return [];
  const words = wordsOf(type);
  const parameters = parametersOf(document, operation);
  return isOne === undefined
    ? [
        readTool(
          {
            name: `search_${type}`,
            title: `Search ${type}`,
            description: `Searches ${words.many}. All conditions must hold; a comma in a value means "or".`,
          },
          path,
          parameters,
        ),
      ]
    : [
        readTool(
          { name: `read_${type}`, title: `Read ${type}`, description: `Shows ${words.one} by its id.` },
          path,
          parameters,
        ),
      ];
};

const chartTool = (document: object, path: string, operation: Operation): Tool =>
  readTool(
    {
      name: 'read_chart',
      title: 'Read a chart',
      description:
        'Shows the whole chart of a patient: the patient, goals, orders, vaccinations, the care team, and the people in them.',
    },
    path,
    parametersOf(document, operation),
    { _count: 50 },
  );

const listTool = (document: object, operation: Operation): Tool =>
  readTool(
    {
      name: 'list_commands',
      title: 'List commands',
      description:
        'Lists what was proposed and entered in charts, with who did it and when. With status=staged, the proposals that wait for a practitioner.',
    },
    '/commands',
    parametersOf(document, operation),
  );

const stageTool = (document: object, kind: string, schema: Schema): Tool => {
  const properties = isValues(schema.properties) ? schema.properties : {};
  const required = (Array.isArray(schema.required) ? schema.required : []).filter((name) => name !== 'kind');
  const proposal: Proposal = proposals.get(kind) ?? {
    title: `a command of kind ${kind}`,
    elements: Object.fromEntries(required.map((name) => [name, ''])),
  };
  const offered = Object.entries(proposal.elements).filter(([name]) => Object.hasOwn(properties, name));
  return {
    description: {
      name: `stage_${kind}`,
      title: `Propose ${proposal.title}`,
      description: `Proposes ${proposal.title}. It has no effect until a practitioner commits it.`,
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(
          offered.map(([name, description]) => {
            const shortened = shorten(document, properties[name]);
            return [name, { ...(isValues(shortened) && shortened), description }];
          }),
        ),
        required,
      },
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    hasPages: false,
    toRequest: (sent) => ({
      method: 'POST',
      path: '/commands',
      query: '',
      body: JSON.stringify({ ...sent, kind }),
    }),
  };
};

/** The kinds of commands that a schema is about. */
const kindsOf = ({ properties }: Schema): readonly string[] => {
  const kind = isValues(properties) ? properties.kind : undefined;
  if (!isValues(kind)) return [];
  return (Array.isArray(kind.enum) ? kind.enum : [kind.const]).filter((name) => typeof name === 'string');
};

const stageTools = (document: object, { requestBody }: Operation): readonly Tool[] => {
  const body = resolve(document, requestBody) as { readonly content?: Readonly<Record<string, Schema>> };
  const schema = resolve(document, body.content?.['application/json']?.schema);
  const variants = isValues(schema) && Array.isArray(schema.oneOf) ? schema.oneOf : [schema];
  return variants
    .map((variant) => resolve(document, variant))
    .filter(isValues)
    .flatMap((variant) => kindsOf(variant).map((kind) => stageTool(document, kind, variant)));
};

/**
 * The tools of the interface, by its own description: its reads and searches, and each kind of command that can be staged. Whatever
 * puts something into effect is not among them.
 */
export const createTools = (document: InterfaceDocument): ReadonlyMap<string, Tool> => {
  const tools = Object.entries(document.paths).flatMap(([path, { get, post }]): readonly Tool[] => {
    if (path === '/commands')
      return [...(get ? [listTool(document, get)] : []), ...(post ? stageTools(document, post) : [])];
    if (get === undefined) return [];
    return path === '/Patient/{id}/$everything'
      ? [chartTool(document, path, get)]
      : toolsOfType(document, path, get);
  });
  return new Map(tools.map((tool) => [tool.description.name, tool]));
};
