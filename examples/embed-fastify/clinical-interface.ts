import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';
import type { FastifyPluginAsync } from 'fastify';
import type { Clinic } from '../clinic/clinic.ts';
import { hostResources } from '../clinic/host-resources.ts';
import { principalOf } from '../clinic/users.ts';

/** The clinical interface as a plugin. Its prefix is the base path of the interface. */
export const createClinicalInterface =
  ({ records }: Clinic): FastifyPluginAsync =>
  async (scope) => {
    // #region plugin
    const listener = toNodeListener(
      createHttpHandler(records, {
        basePath: scope.prefix,
        authenticate: principalOf,
        hostResources,
        onError: (cause) => console.error(cause),
      }),
    );
    // The interface reads its bodies and responds itself. It takes over before Fastify looks for a parser.
    scope.addHook('onRequest', async ({ raw }, reply) => {
      reply.hijack();
      await listener(raw, reply.raw);
    });
    // The prefix has no routes, so Fastify runs the hook for every path and method under it. Only a path such as /%zz
    // is refused by Fastify itself.
    scope.setNotFoundHandler(() => {});
    // #endregion
  };
