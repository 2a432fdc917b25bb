import * as E from 'fp-ts/lib/Either.js';
import { firstOf, type HttpRequest, headerOf } from './http.ts';
import { isReadable } from './media-type.ts';
import { notJson, type Problem, tooLarge, unsupportedMediaType } from './problem.ts';
import type { Route } from './routes.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A body as it was understood: JSON, or the parameters of a form. */
export type Body = { readonly json: unknown; readonly form: string };

const nothing: Body = { json: undefined, form: '' };

/** That a body broke off while it was read. */
export class BrokenOff extends Error {}

const brokenOff = (cause: unknown): never => {
  throw new BrokenOff('The body broke off.', { cause });
};

const given = async ({ body = '' }: HttpRequest): Promise<Uint8Array | string> => {
  const sent = typeof body === 'function' ? await body().catch(brokenOff) : body;
  if (sent instanceof Error) throw sent;
  return sent;
};

/** Reads a body as the route takes it. Throws where the host cannot give it. */
export const bodyOf = async (
  request: HttpRequest,
  { takes }: Route,
  limit: number,
): Promise<E.Either<Problem, Body>> => {
  if (takes === 'nothing') return E.right(nothing);
  const body = await given(request);
  if ((typeof body === 'string' ? new TextEncoder().encode(body) : body).byteLength > limit)
    return E.left(tooLarge);
  if (!isReadable(takes, firstOf(request, 'content-type'), headerOf(request, 'content-encoding')))
    return E.left(unsupportedMediaType);
  return E.tryCatch(
    () => {
      const text = typeof body === 'string' ? body : utf8.decode(body);
      return takes === 'form'
        ? { json: undefined, form: text }
        : { json: JSON.parse(text) as unknown, form: '' };
    },
    () => notJson,
  );
};
