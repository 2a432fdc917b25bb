import { createClinicalRecords } from '@clinical-records/core';
import type { HostType } from '@clinical-records/core/define-resource';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { allergy } from '../../../../examples/conditions/allergy.ts';
import { condition } from '../../../../examples/conditions/condition.ts';
import { shareParts } from '../../src/documents/share-parts.ts';
import { createHandler, createSender, extensionBase } from '../clinic.ts';
import { openApiValidator } from '../documents/openapi-document.ts';

const documentOf = async (...types: readonly HostType[]) => {
  const records = createClinicalRecords({
    ...{ store: createMemoryStore(), extensionBase, careTeamRoles: [], types },
  });
  return createSender(createHandler(records))('GET', '/openapi.json');
};

/** A document in which each reference to one of the shared parts is that part again. */
const inline = (value: unknown, shared: ReadonlyMap<string, unknown>): unknown => {
  if (Array.isArray(value)) return value.map((item) => inline(item, shared));
  if (typeof value !== 'object' || value === null) return value;
  const reference = '$ref' in value ? shared.get(String(value.$ref)) : undefined;
  if (reference !== undefined) return inline(reference, shared);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inline(part, shared)]));
};

test('a document with shared parts says what it said without', async () => {
  const { json: document } = await documentOf();
  const shared = shareParts(document);
  const { schemas, parameters } = shared.components;
  const parts = new Map([
    ...Object.entries(schemas).flatMap(([name, schema]) =>
      Object.hasOwn(document.components.schemas, name)
        ? []
        : [[`#/components/schemas/${name}`, schema] as const],
    ),
    ...Object.entries(parameters).map(([name, part]) => [`#/components/parameters/${name}`, part] as const),
  ]);
  expect(parts.size).toBeGreaterThan(50);
  expect(inline(shared.paths, parts)).toEqual(document.paths);
  const ownSchemas = Object.fromEntries(
    Object.keys(document.components.schemas).map((name) => [name, inline(schemas[name], parts)]),
  );
  expect(ownSchemas).toEqual(document.components.schemas);
  // Nothing is shared that only one has.
  const text = JSON.stringify(shared);
  for (const reference of parts.keys())
    expect([reference, text.split(`"${reference}"`).length > 2]).toEqual([reference, true]);
  expect(await openApiValidator.validate(shared)).toEqual({ valid: true });
});

test('without types of the host, nothing is shared', async () => {
  expect((await documentOf()).json.components.parameters).toBeUndefined();
});

test('a type of the host takes less than 45 kB of it', async () => {
  const [one, two] = [await documentOf(condition), await documentOf(condition, allergy)];
  expect(two.text.length - one.text.length).toBeLessThan(45_000);
});
