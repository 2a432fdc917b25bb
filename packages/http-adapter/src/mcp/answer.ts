import type { OutcomeIssue } from '../errors.ts';
import type { HttpResponse } from '../http.ts';
import { isValues } from './protocol.ts';
import type { Arguments, Tool } from './tools.ts';
import { dataNotice } from './words.ts';

type TextContent = { readonly type: 'text'; readonly text: string };

/** The result of a tool. Its first text is ours, and the second one data of a chart. */
export type ToolResult = { readonly content: readonly TextContent[]; readonly isError?: true };

const textContent = (text: string): TextContent => ({ type: 'text', text });

/** Data of charts between two marks. A text in it cannot end them, because JSON can write `<` as an escape. */
const dataContent = (lines: readonly string[]): TextContent =>
  textContent(['<chart-data>', ...lines, '</chart-data>'].join('\n'));

const toLine = (value: unknown): string =>
  JSON.stringify(value).replaceAll('<', String.raw`\u003c`).replaceAll('>', String.raw`\u003e`);

const parse = (body: string): unknown => (body === '' ? null : JSON.parse(body));

/** The element of the arguments at which something is wrong, such as `dueDate` of `Command.dueDate`. */
const sentenceOf = ({ diagnostics, expression }: OutcomeIssue): string =>
  expression === undefined
    ? diagnostics
    : `${expression[0].replace(/^(Command|http)\./, '')}: ${diagnostics}`;

/** The sentences of an OperationOutcome. */
export const sentencesOf = ({ body }: HttpResponse): readonly string[] => {
  const outcome = parse(body);
  return isValues(outcome) && Array.isArray(outcome.issue) ? outcome.issue.map(sentenceOf) : [];
};

/** A body can have a fault in each of its elements. */
const mostSentences = 20;

const errorResult = (response: HttpResponse): ToolResult => {
  const { status, headers } = response;
  const wait = headers['retry-after'];
  const sentences = sentencesOf(response);
  const more = sentences.length - mostSentences;
  const text = [
    status < 500 ? `The call was refused (${status}). Nothing was changed.` : `The call failed (${status}).`,
    ...sentences.slice(0, mostSentences).map((sentence) => `- ${sentence}`),
    ...(more > 0 ? [`- and ${more} more.`] : []),
    ...(wait === undefined ? [] : [`Send it again in ${wait} s.`]),
  ].join('\n');
  return { content: [textContent(text)], isError: true };
};

/** The lines of an answer, and how many items were read for it. */
type AnswerLines = {
  readonly lines: readonly string[];
  readonly skipped: readonly string[];
  readonly read: number;
};

/** `Goal/7` of a resource. The id of a command has its type already. */
const pathOf = (value: unknown): string => {
  const { resourceType, id = '' } = isValues(value) ? value : {};
  return `${id}`.includes('/') ? `${id}` : `${resourceType}/${id}`;
};

/** The first items that fit into an answer. One that alone is too large is skipped, so that the next ones can be reached. */
const fit = (items: readonly unknown[], limit: number): AnswerLines => {
  const lines: string[] = [];
  const skipped: string[] = [];
  let bytes = 0;
  for (const [read, item] of items.entries()) {
    const line = toLine(item);
    const size = Buffer.byteLength(line) + 1;
    if (size > limit) skipped.push(`${pathOf(item)} (${size} bytes)`);
    else if (bytes + size > limit) return { lines, skipped, read };
    else {
      lines.push(line);
      bytes += size;
    }
  }
  return { lines, skipped, read: items.length };
};

const skippedSentence = (skipped: readonly string[]): readonly string[] =>
  skipped.length === 0
    ? []
    : [
        `Left out, because it is too large for an answer here: ${skipped.join(', ')}. Ask a person to look at it.`,
      ];

type Page = { readonly items: readonly unknown[]; readonly matches: number; readonly hasNext: boolean };

type BundleEntry = { readonly resource?: unknown; readonly search?: { readonly mode?: string } };

/** The items of a bundle, or of a page of commands. Resources that a search includes are after its matches. */
const pageOf = (body: Arguments): Page => {
  const links = Array.isArray(body.link) ? body.link : [];
  const hasNext = links.some(({ relation }) => relation === 'next');
  if (Array.isArray(body.commands)) return { items: body.commands, matches: body.commands.length, hasNext };
  const entries: readonly BundleEntry[] = Array.isArray(body.entry) ? body.entry : [];
  const matches = entries.filter(({ search }) => (search?.mode ?? 'match') === 'match').length;
  return { items: entries.map(({ resource }) => resource), matches, hasNext };
};

const offsetOf = ({ _offset }: Arguments): number => Math.max(0, Math.trunc(Number(_offset ?? 0)) || 0);

const pageResult = (body: Arguments, sent: Arguments, tool: Tool, limit: number): ToolResult => {
  const { items, matches, hasNext } = pageOf(body);
  const { lines, skipped, read } = fit(items, limit);
  const begin = offsetOf(sent);
  const end = begin + Math.min(read, matches);
  const { total } = body;
  const hasMore = hasNext || read < matches;
  const text = [
    ...(typeof total === 'number' ? [`${total} in all.`] : []),
    ...(end > begin ? [`These are ${begin + 1} to ${end}.`] : ['There are none here.']),
    ...skippedSentence(skipped),
    ...(hasMore
      ? [`There are more: call ${tool.description.name} again with the same arguments and "_offset": ${end}.`]
      : []),
    ...(read < items.length && read >= matches
      ? ['Not all resources that they refer to fit: read those with their ids.']
      : []),
    dataNotice,
  ].join(' ');
  return { content: [textContent(text), dataContent(lines)] };
};

const stagedResult = (
  { headers: { location = '' } }: HttpResponse,
  body: unknown,
  limit: number,
): ToolResult => {
  const id = location.replace(/^.*\/commands\//, '');
  const text = `The proposal was staged as ${id}. It has no effect until a practitioner commits it, or discards it. Do not propose it again.`;
  const { lines } = fit(body === null ? [] : [body], limit);
  return { content: [textContent(`${text} ${dataNotice}`), dataContent(lines)] };
};

/** The result of a call, by the response to its request. It has at most `limit` bytes of data, and says how to go on. */
export const toToolResult = (
  tool: Tool,
  sent: Arguments,
  response: HttpResponse,
  limit: number,
): ToolResult => {
  if (response.status >= 400) return errorResult(response);
  const body = parse(response.body);
  if (response.status === 201) return stagedResult(response, body, limit);
  if (tool.hasPages && isValues(body)) return pageResult(body, sent, tool, limit);
  const { lines, skipped } = fit([body], limit);
  return { content: [textContent([...skippedSentence(skipped), dataNotice].join(' ')), dataContent(lines)] };
};
