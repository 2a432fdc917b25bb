import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { expectTypeOf, test } from 'vitest';
import type {
  AuthorizationQuestion,
  Authorize,
  createHttpHandler,
  HttpHandler,
  HttpHandlerOptions,
  HttpRequest,
  HttpResponse,
  Principal,
  toFetch,
  toNodeListener,
} from '../../src/index.ts';

test('a handler accepts a plain request and returns a plain response', () => {
  expectTypeOf<ReturnType<typeof createHttpHandler>>().toEqualTypeOf<HttpHandler>();
  expectTypeOf<HttpHandler>().parameter(0).toEqualTypeOf<HttpRequest>();
  expectTypeOf<HttpHandler>().returns.toEqualTypeOf<Promise<HttpResponse>>();
});

test('a request has values that any server has, such as the headers of node:http', () => {
  expectTypeOf<IncomingMessage['headers']>().toExtend<HttpRequest['headers']>();
  expectTypeOf<{ method: string; url: string; headers: Record<string, string> }>().toExtend<HttpRequest>();
  expectTypeOf<Buffer>().toExtend<NonNullable<HttpRequest['body']>>();
});

test('the principal of a token may be returned at once or later, and null means none', () => {
  type Authenticate = HttpHandlerOptions['authenticate'];
  expectTypeOf<(token: string) => Principal | null>().toExtend<Authenticate>();
  expectTypeOf<(token: string) => Promise<Principal | null>>().toExtend<Authenticate>();
  expectTypeOf<(token: string) => Principal | undefined>().not.toExtend<Authenticate>();
  expectTypeOf<(token: string) => boolean>().not.toExtend<Authenticate>();
});

test('the host answers in one of three ways, at once or later', () => {
  expectTypeOf<() => 'allow' | 'deny'>().toExtend<Authorize>();
  expectTypeOf<() => Promise<{ limitTo: string[] }>>().toExtend<Authorize>();
  expectTypeOf<() => { limitTo: string }>().toExtend<Authorize>();
  expectTypeOf<() => boolean>().not.toExtend<Authorize>();
  expectTypeOf<() => { limitTo: string | undefined }>().not.toExtend<Authorize>();
  expectTypeOf<() => undefined>().not.toExtend<Authorize>();
  expectTypeOf<AuthorizationQuestion['interaction']>().toEqualTypeOf<
    | ('create' | 'read' | 'vread' | 'history' | 'update' | 'search' | 'operation')
    | ('commit' | 'complete' | 'reopen' | 'discard' | 'enter-in-error' | 'move' | 'merge')
  >();
});

test('a handler cannot be created without an authentication', () => {
  expectTypeOf<{ basePath: string }>().not.toExtend<HttpHandlerOptions>();
});

test('a handler binds to node:http and to fetch', () => {
  expectTypeOf<ReturnType<typeof toNodeListener>>().toExtend<RequestListener>();
  expectTypeOf<ReturnType<typeof toNodeListener>>().toBeCallableWith(
    {} as IncomingMessage & { originalUrl: string },
    {} as ServerResponse,
  );
  expectTypeOf<ReturnType<typeof toFetch>>().toEqualTypeOf<(request: Request) => Promise<Response>>();
});

test('a scope in a list names one of the resources', () => {
  type Scopes = Principal['scopes'];
  expectTypeOf<readonly ['user/*.read', 'patient/Goal.rs', 'system/Immunization.cruds']>().toExtend<Scopes>();
  expectTypeOf<['user/*.raed']>().not.toExtend<Scopes>();
  expectTypeOf<['user/Gaol.read']>().not.toExtend<Scopes>();
  expectTypeOf<['user/Goal.sr']>().not.toExtend<Scopes>();
  expectTypeOf<string>().toExtend<Scopes>();
});
