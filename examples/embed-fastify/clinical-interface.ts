import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';
import type { FastifyPluginAsync } from 'fastify';
import type { Clinic } from '../clinic/clinic.ts';
import { principalOf } from '../clinic/users.ts';

/** The clinical interface as a plugin. Its prefix is where the interface lies. */
export const createClinicalInterface =
  ({ records }: Clinic): FastifyPluginAsync =>
  async (scope) => {
    const listener = toNodeListener(
      createHttpHandler(records, {
        basePath: scope.prefix,
        authenticate: principalOf,
        onError: console.error,
      }),
    );
    // The interface reads its bodies itself and answers itself: it takes over before Fastify has looked for a parser.
    scope.addHook('onRequest', async ({ raw }, reply) => {
      reply.hijack();
      await listener(raw, reply.raw);
    });
    // No route lies under the prefix, and this is what makes Fastify run the hook for every path and method there, but for a
    // path such as /%zz, which it refuses itself.
    scope.setNotFoundHandler(() => {});
  };
