import type { IncomingMessage, RequestListener } from 'node:http';
import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';
import type { Clinics } from './clinics.ts';
import { isOperator, principalsOf } from './users.ts';

/** The clinic in a path such as `/clinics/north/fhir/CareTeam/7`, and the path behind it. */
const parsePath = (url = ''): { readonly name: string; readonly rest: string } | null => {
  const [, name, rest = ''] = /^\/clinics\/([a-z][a-z0-9_]{0,39})(\/.*)?$/.exec(url) ?? [];
  return name === undefined ? null : { name, rest };
};

/** Serves the clinical interface of each clinic under its own path, to its own users. */
export const createApp = (clinics: Clinics): RequestListener => {
  const listeners = new Map<string, ReturnType<typeof toNodeListener>>();

  const listenerOf = async (name: string) => {
    const existing = listeners.get(name);
    if (existing !== undefined) return existing;
    const records = await clinics.find(name);
    if (records === null) return null;
    const listener = toNodeListener(
      createHttpHandler(records, {
        basePath: `/clinics/${name}/fhir`,
        authenticate: principalsOf(name),
        onError: (cause) => console.error(name, cause),
      }),
    );
    listeners.set(name, listener);
    return listener;
  };

  /** The status of a request that adds a clinic, such as `PUT /clinics/east`. */
  const addClinic = async (name: string, { headers }: IncomingMessage): Promise<number> => {
    if (!isOperator(headers.authorization)) return 403;
    await clinics.add(name);
    return 204;
  };

  return async (request, response) => {
    const path = parsePath(request.url);
    const end = (status: number) => response.writeHead(status).end();
    try {
      if (path?.rest === '' && request.method === 'PUT') return end(await addClinic(path.name, request));
      const listener = path === null ? null : await listenerOf(path.name);
      if (listener === null) return end(404);
      return await listener(request, response);
    } catch (cause) {
      console.error(cause);
      return end(500);
    }
  };
};
