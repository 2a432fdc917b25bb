import type {
  AnyClinicalRecords,
  AuthorReference,
  ChartLimit,
  Issue,
  ResourceType,
} from '@clinical-records/core';
import { type Agent, matchingIssues, parsePatientId, type ServedType } from '@clinical-records/core/adapter';

/** A type that can be served here: one of the records, Provenance, or a type that they refer to. */
type ScopedType =
  | ServedType
  | ('Patient' | 'Practitioner' | 'PractitionerRole' | 'RelatedPerson' | 'Organization' | 'HealthcareService')
  | ('AuditEvent' | 'Command' | 'Correction')
  | ('Encounter' | 'Location' | 'Device' | 'Condition' | 'Observation' | 'DiagnosticReport' | 'Specimen');

type Combination = Exclude<`${'c' | ''}${'r' | ''}${'u' | ''}${'d' | ''}${'s' | ''}`, ''>;

type Context = 'patient' | 'user' | 'system';

/**
 * A SMART scope for the resources here, such as `user/*.read`, or for some of a type, such as
 * `user/ServiceRequest.rs?category=http://snomed.info/sct|108252007`. Source: SMART App Launch 2.2, and its form of version 1.
 */
export type Scope =
  | `${Context}/${ScopedType | '*'}.${'read' | 'write' | '*' | Combination}`
  | `${Context}/${ResourceType}.${string}?${string}`;

/** The sender of a request, as its token or session identifies it. */
export type Principal = {
  /**
   * A reference to the sender, such as `Practitioner/12` or `Device/lab`, or the URL of a person of another server. It is the author
   * in the history.
   */
  readonly subject: AuthorReference;
  /**
   * SMART scopes such as `user/*.read`, `patient/Goal.rs` or `system/Immunization.cruds`: a list, or the text of a token with
   * spaces between them. Other scopes in a text grant nothing here. Source: RFC 6749, 3.3.
   */
  readonly scopes: string | readonly Scope[];
  /**
   * The patient to whose chart scopes of `patient/` are limited: the id, or `Patient/<id>`. Without a valid id, those
   * scopes grant nothing.
   */
  readonly patient?: string | undefined;
  /** The client that acts for the subject, such as the `client_id` of its token: for an audit, and for `maxInFlight`. */
  readonly client?: string | undefined;
  /**
   * The software that acts for the subject, such as an assistant with a language model. It may read, and stage commands. Whatever the
   * scopes are, every other write is a 403: a practitioner decides. Provenance and the audit name it. Source: docs/agents.md.
   */
  readonly agent?: Agent | undefined;
  /**
   * When the token or the session ends, in milliseconds since 1970. A stream of events ends then, and a principal that has expired is a
   * 401. Default: it is not known, and each function that authenticates says it.
   */
  readonly expiresAt?: number | undefined;
};

/**
 * Whether a principal has not expired. Throws if a host in plain JavaScript returned anything else than a number, so that no mistake
 * lasts for ever.
 */
export const isCurrent = ({ expiresAt }: Principal): boolean => {
  const time: unknown = expiresAt ?? Number.POSITIVE_INFINITY;
  if (typeof time === 'number' && !Number.isNaN(time)) return Date.now() < time;
  throw new TypeError('authenticate() returned a principal whose expiresAt is not a time in milliseconds.');
};

/**
 * The author for the history. Throws if a host in plain JavaScript returned no subject, so that every write has an
 * author.
 */
export const subjectOf = ({ subject }: Principal): AuthorReference => {
  if (typeof subject === 'string' && subject.trim() !== '') return subject;
  throw new TypeError('authenticate() returned a principal without a subject.');
};

/** The permissions, each with its letter in SMART v2. A caller that may read a resource may read its past. */
export const permissions = {
  create: 'c',
  read: 'r',
  vread: 'r',
  history: 'r',
  update: 'u',
  search: 's',
  operation: 'r',
  commit: 'u',
  complete: 'u',
  reopen: 'u',
  discard: 'd',
  'enter-in-error': 'u',
  move: 'c',
  merge: 'c',
} as const;

/** The type of commands in scopes. FHIR has no such type. Source: docs/http-interface.md#chart-commands. */
export const commandType = 'Command';

/** The type of corrections in scopes. FHIR has no such type. Source: docs/corrections.md#over-http. */
export const correctionType = 'Correction';

/** The corrections that a request makes, which are interactions, and the ends of paths. */
export const correctionKinds = ['move', 'merge'] as const;

export type CorrectionKind = (typeof correctionKinds)[number];

/** The steps of commands, which are interactions, and the ends of paths. */
export const commandSteps = ['commit', 'complete', 'reopen', 'discard', 'enter-in-error'] as const;

export type CommandPathStep = (typeof commandSteps)[number];

/** An interaction with resources of a type, or with commands. Source: FHIR R4, RESTful API. */
export type Interaction = keyof typeof permissions;

/** The interactions in which nothing takes effect. */
const agentInteractions: readonly Interaction[] = ['read', 'vread', 'history', 'search', 'operation'];

/** Whether an agent of a host in plain JavaScript can be named. */
export const isNamedAgent = (agent: Agent | undefined): boolean =>
  typeof agent?.reference === 'string' && agent.reference.trim() !== '';

/**
 * Whether an agent may do this at all, whatever its scopes are: it reads and stages, and a practitioner decides. It has nothing to do
 * with corrections. Throws if it cannot be named.
 */
export const mayAgent = (agent: Agent, type: string, interaction: Interaction): boolean => {
  if (!isNamedAgent(agent)) throw new TypeError('authenticate() returned an agent without a reference.');
  if (type === correctionType) return false;
  return agentInteractions.includes(interaction) || (type === commandType && interaction === 'create');
};

/** The letters of the permissions of version 1. */
const lettersOf: Readonly<Record<string, string>> = { read: 'rs', write: 'cud', '*': 'cruds' };

/** Source: SMART App Launch 2.2, "Scopes for requesting FHIR Resources", and its form of version 1. */
const scopePattern =
  /^(patient|user|system)\/(\*|[A-Za-z]+)\.(?:(read|write|\*)|((?=[cruds])c?r?u?d?s?)(?:\?(.*))?)$/s;

type ParsedScope = {
  readonly context: Context;
  readonly type: string;
  readonly letters: string;
  /** The search to whose resources it is limited; null if it is not. Source: SMART App Launch 2.2, "Finer-grained resource constraints". */
  readonly search: URLSearchParams | null;
};

/** Parses a scope; null if it does not have the form of one. */
const parseScope = (text: string): ParsedScope | null => {
  const [, context, type = '', whole = '', letters = lettersOf[whole] ?? '', query] =
    scopePattern.exec(text) ?? [];
  if (context === undefined) return null;
  const search = query === undefined ? null : new URLSearchParams(query);
  return { context: context as Context, type, letters, search };
};

const scopesOf = ({ scopes }: Pick<Principal, 'scopes'>): readonly ParsedScope[] =>
  (typeof scopes === 'string' ? scopes.split(' ') : scopes).flatMap((text) => parseScope(text) ?? []);

/** Whether a type has the events of an audit. */
export const isAuditType = (type: string): boolean => type === 'AuditEvent';

/**
 * Whether only a scope that names a type grants it, and none of a patient. The events of an audit and corrections are about several
 * charts, so `*` does not stand for them.
 */
const isGrantedByName = (type: string): boolean => isAuditType(type) || type === correctionType;

/** The contexts of the scopes for a type. */
export const contextsOf = (type: string): readonly string[] =>
  isGrantedByName(type) ? ['user', 'system'] : ['user', 'system', 'patient'];

/** The scopes that grant a permission for a resource type. */
const grantsOf = (scopes: readonly ParsedScope[], type: string, letter: string): readonly ParsedScope[] =>
  scopes.filter(
    (scope) =>
      scope.letters.includes(letter) &&
      contextsOf(type).includes(scope.context) &&
      (scope.type === type || (scope.type === '*' && !isGrantedByName(type) && scope.search === null)),
  );

/** Whether a scope is limited to the chart of the patient. */
const isOfPatient = ({ context }: ParsedScope): boolean => context === 'patient';

const searchesOf = (scopes: readonly ParsedScope[]): readonly URLSearchParams[] =>
  scopes.flatMap(({ search }) => search ?? []);

/**
 * The scopes that count among those that grant a permission: only the widest, if it has no search. Otherwise they are united in
 * their order, as far as they are limited to the same charts, and one search finds all that they grant.
 */
const effectiveScopes = (
  granting: readonly ParsedScope[],
  type: string,
  issuesOf: MatchingIssues,
): readonly ParsedScope[] => {
  const whole = granting.filter(({ search }) => search === null);
  const widest = whole.find((scope) => !isOfPatient(scope)) ?? whole[0];
  if (widest !== undefined) return [widest];
  const united: ParsedScope[] = [];
  for (const scope of granting) {
    const all = [...united, scope];
    const isOfSameCharts = isOfPatient(all[0] ?? scope) === isOfPatient(scope);
    if (isOfSameCharts && issuesOf(type, searchesOf(all)).length === 0) united.push(scope);
  }
  return united;
};

/** The scopes of which each allows some interactions with a type. */
export const scopesFor = (type: string, ...interactions: readonly Interaction[]): readonly string[] => {
  const letters = [...new Set(interactions.map((interaction) => permissions[interaction]))].join('');
  return contextsOf(type).map((context) => `${context}/${type}.${letters}`);
};

/** The scope that allows the export of a type. */
export const exportScopeFor = (type: string): string => `system/${type}.rs`;

/** The issues of searches to which the resources of a type are limited; empty if they can be. */
export type MatchingIssues = (...searched: Parameters<typeof matchingIssues>) => readonly Issue[];

/** The patient id of a principal; null if there is none. */
const patientIdOf = ({ patient }: Principal): string | null =>
  // A host in plain JavaScript may have a number or null here.
  typeof patient === 'string' ? parsePatientId(patient) : null;

/** The limit of a permission; null if it is not granted. */
const limitOf = (
  principal: Principal,
  scopes: readonly ParsedScope[],
  { type, issuesOf }: { readonly type: string; readonly issuesOf: MatchingIssues },
): ChartLimit | null => {
  const patientId = patientIdOf(principal);
  const granting = scopes.filter((scope) => !isOfPatient(scope) || patientId !== null);
  const effective = effectiveScopes(granting, type, issuesOf);
  const [first] = effective;
  if (first === undefined) return null;
  return {
    ...(isOfPatient(first) && patientId !== null && { within: patientId }),
    ...(first.search !== null && { matching: searchesOf(effective) }),
  };
};

/** The charts and the resources to which a permission is limited, if it is limited. Returns null if it is not granted. */
export const chartLimitFor = (
  principal: Principal,
  type: string,
  interaction: Interaction,
  issuesOf: MatchingIssues,
): ChartLimit | null =>
  limitOf(principal, grantsOf(scopesOf(principal), type, permissions[interaction]), { type, issuesOf });

/**
 * The limit under which a system may export a type: it may read one resource and search all of them. A user or a patient cannot grant an
 * export. Returns null if it is not granted, or if its scopes limit reads and searches to different resources.
 */
export const exportLimitFor = (
  principal: Principal,
  type: string,
  issuesOf: MatchingIssues,
): ChartLimit | null => {
  const scopes = scopesOf(principal).filter(({ context }) => context === 'system');
  const [read, search] = ['r', 's'].map((letter) =>
    limitOf(principal, grantsOf(scopes, type, letter), { type, issuesOf }),
  );
  if (read == null || search == null) return null;
  if (!('matching' in read)) return search;
  return !('matching' in search) || isSameLimit(read, search) ? read : null;
};

/** The issues of searches to which the types of some records are limited. */
export const matchingIssuesOf = ({ resources }: Pick<AnyClinicalRecords, 'resources'>): MatchingIssues => {
  const byType = new Map(resources.map((resource) => [resource.type, resource]));
  return (type, matching) => byType.get(type)?.matchingIssues(matching) ?? matchingIssues(type, matching);
};

/** Whether two limits have the same text. */
export const isSameLimit = (one: ChartLimit, other: ChartLimit): boolean => limitKey(one) === limitKey(other);

/** The text of a limit, without what `authorize` decides. */
export const limitKey = ({ within, matching = [] }: ChartLimit): string =>
  JSON.stringify([within, Array.from(matching, (search) => [...search])]);

const sentenceOf = ({ message, expression }: Issue): string =>
  expression === undefined ? message : `${expression}: ${message}`;

/** Whether a scope counts for each permission that it grants beside others: by itself, or because another one grants more. */
const isEffective = (scope: ParsedScope, scopes: readonly ParsedScope[], issuesOf: MatchingIssues): boolean =>
  [...scope.letters].every((letter) =>
    effectiveScopes(grantsOf(scopes, scope.type, letter), scope.type, issuesOf).some(
      (other) => other === scope || (other.search === null && (!isOfPatient(other) || isOfPatient(scope))),
    ),
  );

const notUnited =
  'It cannot be united with the others: they must be limited to the same charts, and differ in one parameter only.';

const notScope = 'Not a SMART scope for resources, such as user/*.read or patient/Goal.rs.';

/** The reason for which a scope grants nothing beside others; null if it counts. */
const issueOf = (
  scope: ParsedScope,
  scopes: readonly ParsedScope[],
  issuesOf: MatchingIssues,
): string | null => {
  if (scope.search === null) return null;
  const [issue] = issuesOf(scope.type, [scope.search]);
  if (issue !== undefined) return sentenceOf(issue);
  return isEffective(scope, scopes, issuesOf) ? null : notUnited;
};

/**
 * The reasons for which some scopes grant nothing, in their order; null for one that grants what it says. Either it does not have the
 * form of a SMART scope for resources, or it cannot be limited by its search. Pass records with types of your own, whose searches it
 * then knows.
 *
 * @example
 * scopeIssues(['user/Goal.rs', 'user/Goal.rs?status=active']); // [null, 'status: The search parameter is not supported. …']
 */
export const scopeIssues = (
  scopes: readonly string[],
  records?: Pick<AnyClinicalRecords, 'resources'>,
): readonly (string | null)[] => {
  const issuesOf = records === undefined ? matchingIssues : matchingIssuesOf(records);
  const parsed = scopes.map(parseScope);
  const all = parsed.flatMap((scope) => scope ?? []);
  return parsed.map((scope) => (scope === null ? notScope : issueOf(scope, all, issuesOf)));
};
