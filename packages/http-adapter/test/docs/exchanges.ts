import { STATUS_CODES } from 'node:http';
import type { HttpHandler, HttpRequest, HttpResponse } from '../../src/index.ts';
import { formatJson } from './format-json.ts';

/** A request and, behind it, the answer: both are blocks of `http` in a document. */
const exchange = /^(?<request>```http\n[A-Z]+ \/[\s\S]*?\n```\n)\n```http\n[\s\S]*?```\n/gm;

/** Headers that say nothing new of an answer. */
const omittedHeaders = [
  'content-type',
  'x-content-type-options',
  'cache-control',
  'x-request-id',
  'last-modified',
];

/** The request in a block. Where it names no token, it is a doctor's. */
const parseRequest = (block: string): HttpRequest => {
  const [head = '', body] = block
    .replace(/^```http\n/, '')
    .replace(/\n```\n$/, '')
    .split('\n\n');
  const [line = '', ...fields] = head.split('\n');
  const [method = '', url = ''] = line.split(' ');
  const sent = fields.map((field) => {
    const [name = '', ...value] = field.split(': ');
    return [name.toLowerCase(), value.join(': ')];
  });
  return { method, url, headers: { authorization: 'Bearer doctor', ...Object.fromEntries(sent) }, body };
};

/** An answer of more lines is shown by its beginning. */
const maxLines = 52;
const linesOfBeginning = 24;

const beginningOf = (text: string): string => {
  const lines = text.split('\n');
  return lines.length > maxLines ? [...lines.slice(0, linesOfBeginning), '…'].join('\n') : text;
};

/** Without the version of the package, which every release changes, and the date of the description. */
const withoutVersion = (text: string): string =>
  text.replace(/"version": "\d[^"]*"/, '"version": "…"').replace(/"date": "[^"]*"/, '"date": "…"');

const responseText = ({ status, headers, body }: HttpResponse): string =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers)
      .filter(([name]) => !omittedHeaders.includes(name))
      .map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : ['', withoutVersion(beginningOf(formatJson(JSON.parse(body))))]),
  ].join('\n');

export const parseRequests = (document: string): readonly HttpRequest[] =>
  [...document.matchAll(exchange)].map((match) => parseRequest(match.groups?.request ?? ''));

/** The document with the answers that the handler gives to its requests, one after the other. */
export const withResponses = async (document: string, handler: HttpHandler): Promise<string> => {
  let text = '';
  let end = 0;
  for (const match of document.matchAll(exchange)) {
    const request = match.groups?.request ?? '';
    const answer = responseText(await handler(parseRequest(request)));
    text += `${document.slice(end, match.index)}${request}\n\`\`\`http\n${answer}\n\`\`\`\n`;
    end = match.index + match[0].length;
  }
  return text + document.slice(end);
};
