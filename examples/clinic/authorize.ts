import type { Authorize, HttpRequest } from '@clinical-records/http-adapter';

/** A host reads these from its tables. Here they are fixed: whose charts a user works on. */
const caseloads: Readonly<Record<string, readonly string[]>> = {
  'Practitioner/12': ['7', '8', '9'],
  'Practitioner/13': ['7', '8'],
};

/** Resources that patients have not consented to show. */
const withheld = [{ patientId: '8', resourceType: 'Immunization' }];

/** Patients whose charts no emergency opens. */
const vips = ['9'];

/** The users who opened a chart in an emergency, and their reasons. A host keeps them in a table, and reviews them. */
export const glassBreaks: { readonly user: string; readonly patientId: string; readonly reason: string }[] =
  [];

const reasonOf = ({ headers }: HttpRequest): string => String(headers['x-break-glass-reason'] ?? '').trim();

/** May this user see these charts? */
// #region authorize
export const authorize: Authorize = async ({ principal, resourceType, patientIds, request }) => {
  const isShown = (patientId: string) =>
    !withheld.some((one) => one.patientId === patientId && one.resourceType === resourceType);
  const caseload = (caseloads[principal.subject] ?? []).filter(isShown);

  const others = patientIds.filter((patientId) => !caseload.includes(patientId));
  const reason = reasonOf(request);
  const mayBreakGlass = others.every((patientId) => isShown(patientId) && !vips.includes(patientId));
  if (others.length === 0 || reason === '' || !mayBreakGlass) return { limitTo: caseload };

  for (const patientId of others) glassBreaks.push({ user: principal.subject, patientId, reason });
  return 'allow';
};
// #endregion
