import {
  type AuthorReference,
  type ChartLimit,
  parsePatientId,
  type ServedType,
} from '@clinical-records/core';

/** A type that can be served here: one of the records, Provenance, or a type that they refer to. */
type ScopedType =
  | ServedType
  | ('Patient' | 'Practitioner' | 'PractitionerRole' | 'RelatedPerson' | 'Organization' | 'HealthcareService')
  | 'AuditEvent'
  | ('Encounter' | 'Location' | 'Device' | 'Condition' | 'Observation' | 'DiagnosticReport' | 'Specimen');

type Combination = `${'c' | ''}${'r' | ''}${'u' | ''}${'d' | ''}${'s' | ''}`;

/** A SMART scope for the resources here, such as `user/*.read`. Source: SMART App Launch 2.2, and its form of version 1. */
export type Scope =
  `${'patient' | 'user' | 'system'}/${ScopedType | '*'}.${'read' | 'write' | '*' | Exclude<Combination, ''>}`;

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
} as const;

/** An interaction with resources of a type. Source: FHIR R4, RESTful API. */
export type Interaction = keyof typeof permissions;

const permissionLetters = (granted: string): string => {
  switch (granted) {
    case 'read':
      return 'rs';
    case 'write':
      return 'cud';
    case '*':
      return 'cruds';
    default:
      return granted;
  }
};

/** Source: SMART App Launch 2.2, "Scopes for requesting FHIR Resources", and its form of version 1. */
const scopePattern = /^(patient|user|system)\/(\*|[A-Za-z]+)\.(read|write|\*|(?=.)c?r?u?d?s?)$/;

/**
 * Whether a text has the form of a SMART scope, for any resource. A scope with a query does not have it: it grants
 * nothing here.
 */
export const isScope = (text: string): boolean => scopePattern.test(text);

const scopesOf = ({ scopes }: Principal): readonly string[] =>
  typeof scopes === 'string' ? scopes.split(' ') : scopes;

/**
 * Whether a type has the events of an audit. They name the users and patients of all charts. So `*` does not stand for the type:
 * only a scope that names it grants it.
 */
export const isAuditType = (type: string): boolean => type === 'AuditEvent';

/** The contexts of the scopes for a type. The events of an audit are not for patients, because they name others, too. */
export const contextsOf = (type: string): readonly string[] =>
  isAuditType(type) ? ['user', 'system'] : ['user', 'system', 'patient'];

/** Whether scopes of a context grant a permission for a resource type. */
const grants = (
  contexts: readonly string[],
  principal: Principal,
  type: string,
  interaction: Interaction,
): boolean =>
  scopesOf(principal).some((scope) => {
    const [, context = '', what, granted = ''] = scopePattern.exec(scope) ?? [];
    return (
      contexts.includes(context) &&
      (what === type || (what === '*' && !isAuditType(type))) &&
      permissionLetters(granted).includes(permissions[interaction])
    );
  });

/** The scopes of which each allows some interactions with a type. */
export const scopesFor = (type: string, ...interactions: readonly Interaction[]): readonly string[] => {
  const letters = interactions.map((interaction) => permissions[interaction]).join('');
  return contextsOf(type).map((context) => `${context}/${type}.${letters}`);
};

/** The scope that allows the export of a type. */
export const exportScopeFor = (type: string): string => `system/${type}.rs`;

/** Whether scopes of a system may read a type, one resource and all of them. A user or a patient cannot grant an export. */
export const isGrantedToSystem = (principal: Principal, type: string): boolean =>
  grants(['system'], principal, type, 'read') && grants(['system'], principal, type, 'search');

/** The patient id of a principal; null if there is none. */
const patientIdOf = ({ patient }: Principal): string | null =>
  // A host in plain JavaScript may have a number or null here.
  typeof patient === 'string' ? parsePatientId(patient) : null;

/** The chart to which a permission is limited, if it is limited. Returns null if the permission is not granted. */
export const chartLimitFor = (
  principal: Principal,
  type: string,
  interaction: Interaction,
): ChartLimit | null => {
  if (grants(['user', 'system'], principal, type, interaction)) return {};
  const within = contextsOf(type).includes('patient') ? patientIdOf(principal) : null;
  return within !== null && grants(['patient'], principal, type, interaction) ? { within } : null;
};
