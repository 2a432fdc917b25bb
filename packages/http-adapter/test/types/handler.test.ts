import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { expectTypeOf, test } from 'vitest';
import type {
  createHttpHandler,
  HttpHandler,
  HttpHandlerOptions,
  HttpRequest,
  HttpResponse,
  Principal,
  toFetch,
  toNodeListener,
} from '../../src/index.ts';

test('a handler takes a plain request and answers a plain response', () => {
  expectTypeOf<ReturnType<typeof createHttpHandler>>().toEqualTypeOf<HttpHandler>();
  expectTypeOf<HttpHandler>().parameter(0).toEqualTypeOf<HttpRequest>();
  expectTypeOf<HttpHandler>().returns.toEqualTypeOf<Promise<HttpResponse>>();
});

test('a request is made of values that any server has: headers of node:http will do', () => {
  expectTypeOf<IncomingMessage['headers']>().toExtend<HttpRequest['headers']>();
  expectTypeOf<{ method: string; url: string; headers: Record<string, string> }>().toExtend<HttpRequest>();
  expectTypeOf<Buffer>().toExtend<NonNullable<HttpRequest['body']>>();
});

test('who a token stands for may be answered at once or later, and null stands for nobody', () => {
  type Authenticate = HttpHandlerOptions['authenticate'];
  expectTypeOf<(token: string) => Principal | null>().toExtend<Authenticate>();
  expectTypeOf<(token: string) => Promise<Principal | null>>().toExtend<Authenticate>();
  expectTypeOf<(token: string) => Principal | undefined>().not.toExtend<Authenticate>();
  expectTypeOf<(token: string) => boolean>().not.toExtend<Authenticate>();
});

test('a handler cannot be made without saying who may do what', () => {
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

test('a scope in a list is one of the resources here', () => {
  type Scopes = Principal['scopes'];
  expectTypeOf<readonly ['user/*.read', 'patient/Goal.rs', 'system/Immunization.cruds']>().toExtend<Scopes>();
  expectTypeOf<['user/*.raed']>().not.toExtend<Scopes>();
  expectTypeOf<['user/Gaol.read']>().not.toExtend<Scopes>();
  expectTypeOf<['user/Goal.sr']>().not.toExtend<Scopes>();
  expectTypeOf<string>().toExtend<Scopes>();
});
