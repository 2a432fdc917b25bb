import type { IncomingMessage, RequestListener } from 'node:http';
import type { ClinicalRecords } from '@clinical-records/core';
import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';
import type { Clinics } from './clinics.ts';
import { isOperator, principalsOf } from './users.ts';

/** The clinic in a path such as `/clinics/north/fhir/CareTeam/7`, and the path behind it. */
const parsePath = (url = ''): { readonly name: string; readonly rest: string } | null => {
  const [, name, rest = ''] = /^\/clinics\/([A-Za-z0-9-]{1,64})(\/.*)?$/.exec(url) ?? [];
  return name === undefined ? null : { name, rest };
};

/** Serves the clinical interface of each clinic under its own path, to its own users. */
export const createApp = (clinics: Clinics): RequestListener => {
  /** As long as a clinic is open, its records are the same. */
  const listeners = new WeakMap<ClinicalRecords, ReturnType<typeof toNodeListener>>();

  const listenerOf = (name: string, records: ClinicalRecords) => {
    const existing = listeners.get(records);
    if (existing !== undefined) return existing;
    const listener = toNodeListener(
      createHttpHandler(records, {
        basePath: `/clinics/${name}/fhir`,
        authenticate: principalsOf(name),
        onError: (cause) => console.error(name, cause),
      }),
    );
    listeners.set(records, listener);
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
      if (path === null) return end(404);
      const isServed = await clinics.use(path.name, async (records) => {
        await listenerOf(path.name, records)(request, response);
        return true;
      });
      return isServed ?? end(404);
    } catch (cause) {
      console.error(cause);
      return end(500);
    }
  };
};
