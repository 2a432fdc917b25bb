import { resourceTypes } from '@clinical-records/core/adapter';
import type { FeedEntry } from '@clinical-records/core/store';
import type { HttpRequest, HttpResponse } from '../../src/index.ts';
import { errorTexts } from '../response-helpers.ts';
import type { FilledClinic } from './clinic.ts';
import { pointsAtSent } from './expressions.ts';

/** How long an answer may take: far more than any needs, so that only a hang is longer. In milliseconds. */
export const maxMilliseconds = 5_000;

/** One request, its response, and its effects. */
export type Trial = {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly milliseconds: number;
  readonly newVersions: readonly FeedEntry[];
  /** The patient whose chart the request names, as far as it names one. */
  readonly patientId: string | null;
};

type Issue = {
  readonly severity?: unknown;
  readonly code?: unknown;
  readonly details?: { readonly text?: unknown };
  readonly diagnostics?: unknown;
  readonly expression?: readonly string[];
};

/** The value of a JSON text; undefined where it is none. */
const parseJson = (body: HttpRequest['body']): unknown => {
  try {
    return JSON.parse(body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body)) as unknown;
  } catch {
    return undefined;
  }
};

/** Every text in a value that is long enough not to be there by chance. It does not recurse: values may be deep. */
const longTextsIn = (value: unknown): readonly string[] => {
  const texts = new Set<string>();
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string' && next.length > 20) texts.add(next);
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) left.push(inner);
  }
  return [...texts];
};

const decodedPath = (url: string): string => {
  const [path = ''] = url.split(/[?#]/);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

const unknownResource = new RegExp(
  `^Unknown (?:${[...resourceTypes, 'Command'].join('|')}) resource '(.*)'$`,
  's',
);

/** Whether an id ends a path, or is that of a command before the step at its end. */
const isInPath = (url: string, id: string): boolean => {
  const path = decodedPath(url).replaceAll(/\p{Cc}/gu, '');
  return [path, path.replace(/(\/commands\/.*)\/[a-z-]+$/, '$1')].some((part) => part.endsWith(`/${id}`));
};

const isStep = ({ url }: HttpRequest): boolean => /\/commands\/[^?#]+\/[a-z-]+([?#]|$)/.test(url);

const isEmpty = (body: HttpRequest['body'] = ''): boolean =>
  (typeof body === 'string' || body instanceof Uint8Array) && body.length === 0;

const outcomeViolations = ({ request, response }: Trial): readonly string[] => {
  const body = parseJson(response.body) as
    | { resourceType?: unknown; issue?: readonly Issue[] }
    | null
    | undefined;
  const issues = Array.isArray(body?.issue) ? (body.issue as readonly Issue[]) : [];
  const [code, text] = errorTexts[response.status] ?? ['', ''];
  if (body?.resourceType !== 'OperationOutcome' || issues.length === 0)
    return ['An error is not an OperationOutcome.'];
  const isText = (sent: unknown) =>
    sent === text || (response.status === 404 && unknownResource.test(String(sent)));
  const isOfStatus = (issue: Issue) =>
    issue.severity === 'error' && issue.code === code && isText(issue.details?.text);
  const unknown = unknownResource.exec(String(issues[0]?.details?.text))?.[1];
  // A list of what is allowed may have a value that was sent.
  const withoutAllowed = (text: unknown) => String(text).replace(/ Allowed: .*$/s, '');
  const said = issues
    .map(({ diagnostics, expression }) => `${withoutAllowed(diagnostics)} ${expression ?? ''}`)
    .join('\n');
  return [
    ...(issues.every(isOfStatus) ? [] : ['An issue has not the code and text of its status.']),
    ...(unknown !== undefined && !isInPath(request.url, unknown)
      ? ['The unknown resource differs from the one in the path.']
      : []),
    ...(longTextsIn(parseJson(request.body)).some((value) => said.includes(value))
      ? ['An error holds a value of the body.']
      : []),
    ...(issues
      .flatMap(({ expression = [] }) => expression)
      .every((expression) => pointsAtSent(expression, request, parseJson(request.body)))
      ? []
      : ['An expression points at nothing that was sent.']),
  ];
};

const isRead = ({ method, url }: HttpRequest) =>
  !['PUT', 'POST'].includes(method) || /^[^?#]*\/_search([?#]|$)/.test(url);

const chartViolations = ({ request, response, newVersions, patientId }: Trial): readonly string[] => {
  if (response.status >= 300) return newVersions.length > 0 ? ['A refused request changed something.'] : [];
  if (isRead(request)) return newVersions.length > 0 ? ['A read changed something.'] : [];
  return [
    ...(parseJson(request.body) === undefined && !(isStep(request) && isEmpty(request.body))
      ? ['A body that is not JSON was accepted.']
      : []),
    ...(newVersions.some((entry) => entry.patientId !== patientId) ? ['Another chart was changed.'] : []),
  ];
};

/** Every promise that a request saw broken. */
export const findViolations = (trial: Trial): readonly string[] => {
  const { response, milliseconds } = trial;
  return [
    ...(response.status >= 500 ? ['It failed on its own side.'] : []),
    ...(parseJson(response.body) === undefined ? ['The response is not JSON.'] : []),
    ...(Object.values(response.headers).every((value) => /^[\x20-\x7e]*$/.test(value))
      ? []
      : ['A header cannot be sent.']),
    ...(milliseconds > maxMilliseconds ? ['It took too long.'] : []),
    ...(response.status >= 400 && response.status < 500 ? outcomeViolations(trial) : []),
    ...chartViolations(trial),
  ];
};

/** The patient to whose chart a write belongs: named by the path, by the body, or by the record that it changes. */
export const patientOf = async (
  { method, url, body }: HttpRequest,
  { store }: FilledClinic,
): Promise<string | null> => {
  const ofCommand = /\/commands\/([^/]+)\/([^/]+)\/\d+\/[a-z-]+$/.exec(decodedPath(url));
  const patientIn = async (type: string, id: string): Promise<string | null> => {
    const found = await store.read({ type, id });
    return found._tag === 'Right' ? (found.right?.patientId ?? null) : null;
  };
  const ofTeam = /\/commands\/CareTeam\/([^/]+)$/.exec(decodedPath(url));
  if (ofTeam !== null) return ofTeam[1] ?? null;
  if (ofCommand !== null) return patientIn(ofCommand[1] ?? '', ofCommand[2] ?? '');
  if (method === 'POST') {
    type Sent = {
      readonly patient?: { readonly reference?: string };
      readonly patientId?: string;
      readonly goalId?: string;
    };
    const { patient, patientId, goalId } = (parseJson(body) ?? {}) as Sent;
    if (goalId !== undefined) return patientIn('Goal', goalId);
    return patientId ?? patient?.reference?.split('/')[1] ?? null;
  }
  const [, type = '', id = ''] = /\/([^/]+)\/([^/]*)$/.exec(decodedPath(url)) ?? [];
  if (type === 'CareTeam') return id;
  return patientIn(type, id);
};
