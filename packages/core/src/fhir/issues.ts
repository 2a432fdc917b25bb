import { createIssueFactory, type Issue } from '../errors.ts';

export const bodyIssues = {
  required: 'A required element is missing.',
  type: 'The element has the wrong JSON type.',
  value: 'Not one of the allowed values.',
  reference: 'Must be a relative reference of an allowed type.',
  'reference-type': 'Must be the type that `reference` names.',
  'code-form': 'A code must have no spaces around it, and only single spaces within.',
  decimal: 'A number must be 0, or between 5e-324 and 1.7976931348623157e308, positive or negative.',
  'integer-form': 'A whole number must have no decimal point and no exponent.',
  'unsupported-codes': 'None of the codes can be imported.',
  id: 'Must be an id: 1 to 64 letters, digits, "-" or ".", without a type such as Patient/ before it.',
  date: 'Must be a date such as 2026-03-01, a month such as 2026-03, or a year such as 2026.',
  'date-time':
    'Must be a date such as 2026-03-01, 2026-03 or 2026, or a date and time such as 2026-03-01T09:30:00-05:00.',
  'time-offset': 'A time needs seconds and an offset, such as 2026-03-01T09:30:00-05:00.',
  empty: 'The element is empty.',
  many: 'The element occurs too many times.',
  'text-length': 'The text has more than 1,000 characters.',
  'element-length': 'The element has more than 10,000 characters.',
  text: 'The text has characters that FHIR does not allow, or is not valid Unicode.',
  'patient-id': 'The id of a patient must not end in a care team status, such as .active.',
  'id-differs': 'The id in the body differs from the id in the path.',
  'too-complex': 'The body has too many different property names, or is nested too deeply.',
  'repeated-property': 'The property occurs more than once in its object.',
  'unknown-element': 'There is no such element here.',
  'not-stored': 'The element is not stored, and the request asks for strict handling.',
  'modifier-extension': 'A modifierExtension may change the meaning of the resource and cannot be ignored.',
  'implicit-rules': 'The implicitRules may change the meaning of the resource and cannot be ignored.',
  subsetted: 'The resource is tagged SUBSETTED: only a part of it was sent.',
  'entered-in-error': 'The resource is entered in error, and cannot be imported.',
} as const;

export type BodyRule = keyof typeof bodyIssues;

export const bodyIssue = createIssueFactory(bodyIssues);

export const isBodyRule = (rule: unknown): rule is BodyRule =>
  typeof rule === 'string' && Object.hasOwn(bodyIssues, rule);

export const sourceIssues = {
  'left-out': 'The element cannot be stored, and was not imported.',
  'nearest-status':
    'The interface does not have this status. The resource is read with the nearest one, and has this one in the extension source-status.',
} as const;

const sourceIssue = createIssueFactory(sourceIssues);

/** The issue for an element of an imported resource that was left out, and why, if that is known. */
export const leftOutIssue = (expression: string, reason?: string): Issue => {
  const issue = sourceIssue('left-out', expression);
  return reason === undefined ? issue : { ...issue, message: `${issue.message} ${reason}` };
};

/** The issue for a status of an imported resource that is read as another one. */
export const nearestStatusIssue = (expression: string): Issue => sourceIssue('nearest-status', expression);

/** The place of an element: names and indexes, from the outside in. */
export type Path = readonly PropertyKey[];

/** The new value of an element; without a value, the element is removed. */
export type ElementEdit = { readonly path: Path; readonly value?: unknown };

type Parts = Record<PropertyKey, unknown>;

/** The value at a path; undefined if there is none. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((part, step) => (part as Parts | null | undefined)?.[step], value);

const closeGaps = (array: unknown[]): void => {
  const elements = array.filter(() => true);
  array.length = 0;
  for (const element of elements) array.push(element);
};

/** A copy of a value in which some elements are changed. Only the objects around them are copied, each once. */
export const editElements = (value: unknown, edits: readonly ElementEdit[]): unknown => {
  const copies = new Set<unknown>();
  const copyOnce = (part: unknown): Parts => {
    if (copies.has(part)) return part as Parts;
    const copy = Array.isArray(part) ? [...part] : { ...(part as object) };
    copies.add(copy);
    return copy as Parts;
  };
  const whole = copyOnce(value);
  for (const { path, value: changed } of edits) {
    const last = path.at(-1) as PropertyKey;
    let holder = whole;
    for (const step of path.slice(0, -1)) {
      const part = copyOnce(holder[step]);
      holder[step] = part;
      holder = part;
    }
    if (changed === undefined) delete holder[last];
    else holder[last] = changed;
  }
  for (const copy of copies) if (Array.isArray(copy)) closeGaps(copy);
  return whole;
};
