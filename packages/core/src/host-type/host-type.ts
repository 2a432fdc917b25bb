import type * as z from 'zod';
import { bodyErrorTags, createServiceTable, createWritableResources, pick } from '../chart/body-writes.ts';
import type { Environment } from '../environment.ts';
import { createJsonReads } from '../records/json-reads.ts';
import type { ResourceDefinition } from '../resource-definition.ts';
import { withFieldParameters } from '../search/field-parameters.ts';
import { createBodies } from './bodies.ts';
import { defineHostImport } from './import.ts';
import type { AnyHostResource, AnyHostTypeSpec, HostService, HostWrite } from './model.ts';
import { createFacts, defineHostRecord, moveHostRecord } from './record.ts';
import { createHostWrites } from './writes.ts';

type AnyService = HostService<AnyHostResource, object, HostWrite>;

/** Whether an element is a single object, such as a concept. */
const isSingleObject = (schema: z.ZodType): boolean => {
  const { innerType, type } = schema.def as { readonly innerType?: z.ZodType; readonly type: string };
  return innerType === undefined ? type === 'object' : isSingleObject(innerType);
};

/** The definition of a type of a host, from what the host says of it. */
export const createDefinition = (
  spec: AnyHostTypeSpec,
): ResourceDefinition<string, string, AnyHostResource, AnyService> => {
  const { name, writes } = spec;
  const facts = createFacts(spec);
  const factsIn = ({ fields }: Pick<Environment, 'fields'>) => withFieldParameters(facts, fields);
  const bodies = createBodies(spec);
  const requests = {
    create: { body: () => bodies.create, errorTags: bodyErrorTags },
    update: { body: () => bodies.update, errorTags: bodyErrorTags },
  };
  return {
    ...facts,
    name,
    schema: () => bodies.resource,
    requests: pick(requests, writes),
    fieldElements: Object.entries(spec.elements).flatMap(([name, schema]) =>
      isSingleObject(schema) ? [name] : [],
    ),
    isEnd: spec.isEnd,
    defineRecord: (environment) => defineHostRecord(spec, factsIn(environment), environment),
    createService: (environment, { directory, includes }) => {
      const ofHost = factsIn(environment);
      const reads = createJsonReads(environment, { facts: ofHost, includes });
      const ofBodies = createHostWrites(spec, ofHost, bodies, environment, directory);
      return createWritableResources<AnyHostResource, HostWrite>(reads, ofBodies, writes);
    },
    functions: createServiceTable(spec.type, writes),
    createCommands: null,
    people: spec.people,
    otherVersions: spec.otherVersions,
    defineImport: (environment) => defineHostImport(spec, factsIn(environment), bodies, environment),
    move: moveHostRecord(spec, facts),
  };
};
