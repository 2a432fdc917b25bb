import type { ClinicalRecords, ResourceType } from '@clinical-records/core';
import * as E from 'fp-ts/lib/Either.js';
import { allowing, refusalOf } from './allow.ts';
import { BrokenOff, bodyOf } from './body.ts';
import { isAuthorizedTwice, preconditionOf, preferenceOf, tokenOf } from './headers.ts';
import { type HttpHandler, type HttpRequest, type HttpResponse, headerOf } from './http.ts';
import { acceptable, mediaTypes } from './media-type.ts';
import { descriptionOf } from './openapi/description.ts';
import {
  authorizedTwice,
  httpRules,
  notAcceptable,
  nothingThere,
  outOfScope,
  type Problem,
  unauthenticated,
  unexpected,
  wrongMethod,
} from './problem.ts';
import { problemResponse, replyResponse } from './response.ts';
import { type Reply, routesOf } from './routes.ts';
import { grantedChart, type Principal, subjectOf } from './scopes.ts';
import { locationOf, targetOf } from './target.ts';

/** Who may do what, and where the interface lies. */
export type HttpHandlerOptions = {
  /** Who a bearer token stands for; null for one that is not valid. */
  readonly authenticate: (
    token: string,
    request: HttpRequest,
  ) => Promise<Principal | null> | Principal | null;
  /** Where the interface lies, such as `/fhir`, without a slash at its end; at the root, if this is empty or not given. */
  readonly basePath?: string;
  /** Where clients find it, such as `https://clinic.example/fhir`, if that is to be told whole, or a proxy moves it. */
  readonly baseUrl?: string;
  /** The largest body that is taken, in bytes; 256 KiB, if this is not given. */
  readonly bodyLimit?: number;
  /** Told of what went wrong on this side: the cause of an answer of 500 or 503, which itself says nothing of it. */
  readonly onError?: (cause: Error) => void;
};

/** HEAD is GET without the body, which the bindings leave out. */
const methodOf = ({ method }: HttpRequest) => (method === 'HEAD' ? 'GET' : method);

/** The parameters of a search, from the query string and from a form. */
const parametersOf = (query: string, form: string): readonly (readonly [string, string])[] =>
  query === '' && form === '' ? [] : [...new URLSearchParams(query), ...new URLSearchParams(form)];

/** Whether somebody may see what a write has made of a resource: it may hold more than was sent. */
const mayRead = (principal: Principal, type: ResourceType, reply: Reply): boolean => {
  const granted = grantedChart(principal, type, 'read');
  if (granted === null || typeof reply === 'string') return false;
  return granted.within === undefined || granted.within === reply.patientId;
};

/** The paths at which an interface can lie: segments as a URL has them. Source: RFC 3986, 3.3. */
const basePathPattern = /^(\/[\w.~!$&'()*+,;=:@%-]+)*$/;

const isBaseUrl = (url: string): boolean => URL.canParse(url) && /^https?:\/\/[^?#]*[^/?#]$/.test(url);

/**
 * The whole interface as one function from request to response. It opens no port and knows no framework. Throws for a
 * `basePath` that no request could lie under, and for a `baseUrl` that none could be sent to.
 * `<basePath>/openapi.json` describes it, to anybody: the description holds nothing of a chart and needs no token.
 *
 * @example
 * const handler = createHttpHandler(records, { authenticate, basePath: '/fhir' });
 * createServer(toNodeListener(handler)).listen(3000, '127.0.0.1');
 */
export const createHttpHandler = (records: ClinicalRecords, options: HttpHandlerOptions): HttpHandler => {
  const { authenticate, basePath = '', baseUrl, bodyLimit = 256 * 1024, onError = () => {} } = options;
  if (!basePathPattern.test(basePath)) {
    throw new Error('basePath is a path such as /fhir, without a slash at its end, or empty for the root.');
  }
  if (baseUrl !== undefined && !isBaseUrl(baseUrl)) {
    throw new Error('baseUrl is a URL such as https://clinic.example/fhir, without a slash at its end.');
  }
  const base = baseUrl ?? basePath;
  const table = routesOf(records);
  const routes = Map.groupBy(table, ({ type }) => type);
  const description = descriptionOf({ routes: table, records, basePath, base });

  /** A host's log is given a sentence, whatever was thrown. One that fails costs nobody the answer. */
  const report = async (cause: unknown): Promise<void> => {
    try {
      await onError(cause instanceof Error ? cause : new Error(httpRules.unexpected, { cause }));
    } catch {}
  };

  const handle = async (request: HttpRequest): Promise<HttpResponse> => {
    const mediaType = acceptable(headerOf(request, 'accept'));
    const refused = (problem: Problem) => problemResponse(problem, mediaType ?? mediaTypes[0]);
    try {
      const { path, query } = locationOf(request.url);
      if (path === description.path) {
        return methodOf(request) === 'GET'
          ? description.response()
          : refused(allowing(wrongMethod, [{ method: 'GET' }]));
      }
      if (isAuthorizedTwice(request)) return refused(authorizedTwice);
      const token = tokenOf(request);
      // A host without types may answer undefined, or false.
      const principal = token === null ? null : (await authenticate(token, request)) || null;
      if (principal === null) return refused(unauthenticated);

      const target = targetOf(path, basePath);
      if (target === null) return refused(nothingThere);
      const here = routes.get(target.type)?.filter(({ place }) => place === target.place) ?? [];
      const route = here.find(({ method }) => method === methodOf(request));
      if (route === undefined) return refused(allowing(wrongMethod, here));
      const granted = grantedChart(principal, route.type, route.interaction);
      if (granted === null) return refused(outOfScope);
      if (mediaType === null) return refused(notAcceptable);
      const body = await bodyOf(request, route, bodyLimit);
      if (E.isLeft(body)) return refused(body.left);
      const precondition = preconditionOf(request, route.interaction);
      if (E.isLeft(precondition)) return refused(precondition.left);

      const { handling, wantsRepresentation } = preferenceOf(headerOf(request, 'prefer'));
      const reply = await route.run({
        id: target.id,
        parameters: parametersOf(query, body.right.form),
        body: body.right.json,
        ...granted,
        handling,
        by: subjectOf(principal),
        idempotencyKey: headerOf(request, 'idempotency-key'),
        ...precondition.right,
      })();
      if (E.isLeft(reply)) {
        if (reply.left._tag === 'StoreFailure') report(reply.left.cause);
        return refused(refusalOf(reply.left, route, here));
      }
      return replyResponse(reply.right, {
        mediaType,
        showsRepresentation: wantsRepresentation && mayRead(principal, route.type, reply.right),
        base,
        route,
      });
    } catch (cause) {
      if (cause instanceof BrokenOff) throw cause.cause;
      report(cause);
      return refused(unexpected);
    }
  };
  return Object.assign(handle, { bodyLimit });
};
