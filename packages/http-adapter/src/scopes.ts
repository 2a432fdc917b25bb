import type { ChartLimit, ResourceType } from '@clinical-records/core';

/** Who sends a request, as far as its token says. */
export type Principal = {
  /** Who it is, for the history. */
  readonly subject: string;
  /**
   * SMART scopes such as `user/*.read`, `patient/Goal.rs` or `system/Immunization.cruds`: a list of them, or OAuth's one text
   * with spaces between them. Source: RFC 6749, 3.3.
   */
  readonly scopes: string | readonly string[];
  /**
   * The patient to whose chart scopes of `patient/` are limited: the id, or `Patient/<id>`. Without one, or with what is
   * no id, those scopes grant nothing.
   */
  readonly patient?: string | undefined;
};

/** Who does a thing, for the history. Throws where a host without types names nobody: nothing is to be written by no one. */
export const subjectOf = ({ subject }: Principal): string => {
  if (typeof subject === 'string' && subject.trim() !== '') return subject;
  throw new TypeError('authenticate answered a principal whose subject is no text, or an empty one.');
};

/** What is done, each with its letter in SMART v2. */
export const permissions = { create: 'c', read: 'r', update: 'u', search: 's' } as const;

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

/** Source: SMART App Launch 2.2, "Scopes for requesting FHIR Resources", and their form of version 1. */
const scopePattern = /^(patient|user|system)\/(\*|[A-Za-z]+)\.(read|write|\*|(?=.)c?r?u?d?s?)$/;

/** Whether a text has the form of a SMART scope, for whatever resources. One that is narrowed by a query has not: it grants nothing here. */
export const isScope = (text: string): boolean => scopePattern.test(text);

const scopesOf = ({ scopes }: Principal): readonly string[] =>
  typeof scopes === 'string' ? scopes.split(' ') : scopes;

/** Whether scopes of a context grant a thing. */
const grants = (
  contexts: readonly string[],
  principal: Principal,
  type: ResourceType,
  interaction: Interaction,
): boolean =>
  scopesOf(principal).some((scope) => {
    const [, context = '', what, granted = ''] = scopePattern.exec(scope) ?? [];
    return (
      contexts.includes(context) &&
      (what === '*' || what === type) &&
      permissionLetters(granted).includes(permissions[interaction])
    );
  });

/** The id of a patient as a principal may have it; null where there is none. Source: FHIR R4, Datatypes, 2.24.0.1. */
const patientIdOf = ({ patient }: Principal): string | null =>
  // A host without types may have a number or null here.
  typeof patient === 'string' ? (/^(?:Patient\/)?([A-Za-z0-9\-.]{1,64})$/.exec(patient)?.[1] ?? null) : null;

/** To which chart somebody is limited in doing a thing, if to any; null where it is not granted. */
export const chartLimitFor = (
  principal: Principal,
  type: ResourceType,
  interaction: Interaction,
): ChartLimit | null => {
  if (grants(['user', 'system'], principal, type, interaction)) return {};
  const within = patientIdOf(principal);
  return within !== null && grants(['patient'], principal, type, interaction) ? { within } : null;
};
