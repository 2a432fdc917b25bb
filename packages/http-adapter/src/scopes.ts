import type { ResourceType } from '@clinical-records/core';

/** Who sends a request, as far as its token says. */
export type Principal = {
  /** Who it is, for the history. */
  readonly subject: string;
  /** SMART scopes such as `user/*.read`, `patient/Goal.rs` or `system/Immunization.cruds`. */
  readonly scopes: readonly string[];
  /** The patient to whose chart scopes of `patient/` are limited. */
  readonly patient?: string | undefined;
};

/** The letters of SMART v2 for what is done: create, read, update and search. */
export type Permission = 'c' | 'r' | 'u' | 's';

const letters = (permissions: string): string => {
  switch (permissions) {
    case 'read':
      return 'rs';
    case 'write':
      return 'cud';
    case '*':
      return 'cruds';
    default:
      return permissions;
  }
};

/** Source: SMART App Launch 2.2, "Scopes for requesting FHIR Resources", and their form of version 1. */
const scopePattern = /^(patient|user|system)\/(\*|[A-Za-z]+)\.(read|write|\*|(?=.)c?r?u?d?s?)$/;

/** Whether a text has the form of a SMART scope, for whatever resources. One that is narrowed by a query has not: it grants nothing here. */
export const isScope = (text: string): boolean => scopePattern.test(text);

/** Whether scopes of a context grant a thing. */
const grants = (
  contexts: readonly string[],
  { scopes }: Principal,
  type: ResourceType,
  permission: Permission,
): boolean =>
  scopes.some((scope) => {
    const [, context = '', what, permissions = ''] = scopePattern.exec(scope) ?? [];
    return (
      contexts.includes(context) &&
      (what === '*' || what === type) &&
      letters(permissions).includes(permission)
    );
  });

/** The chart to which somebody is limited in doing a thing: undefined for all of them, null where it is not granted. */
export const grantedChart = (
  principal: Principal,
  type: ResourceType,
  permission: Permission,
): { readonly within: string | undefined } | null => {
  if (grants(['user', 'system'], principal, type, permission)) return { within: undefined };
  const { patient } = principal;
  return patient !== undefined && grants(['patient'], principal, type, permission)
    ? { within: patient }
    : null;
};
