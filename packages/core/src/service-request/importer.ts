import * as E from 'fp-ts/lib/Either.js';
import type { Environment } from '../environment.ts';
import { ruleViolation } from '../errors.ts';
import { createRecordImporter } from '../importer/record-importer.ts';
import { addNames, requirePatient } from '../importer/record-references.ts';
import type { ResourceImporter } from '../importer/resource-importer.ts';
import { serviceRequestIssue } from './issues.ts';
import { beginsBeforeItEnds } from './period.ts';
import { defineServiceRequestRecord } from './record-definition.ts';
import { createServiceRequestSourceReader, nameRequester } from './source-reader.ts';
import { createServiceRequestToSource } from './to-source.ts';

const createOrderReader = (environment: Environment): ReturnType<typeof createServiceRequestSourceReader> => {
  const read = createServiceRequestSourceReader(environment);
  return (resource) => {
    const order = read(resource);
    if (E.isLeft(order)) return order;
    const [command] = order.right.value.commands;
    return beginsBeforeItEnds(command?.body.occurrencePeriod, environment.zone)
      ? order
      : E.left(ruleViolation(serviceRequestIssue('period-order', 'ServiceRequest.occurrencePeriod')));
  };
};

/** Imports orders into the chart. */
export const createServiceRequestImporter = (environment: Environment): ResourceImporter =>
  createRecordImporter(environment)({
    recordDefinition: defineServiceRequestRecord(environment),
    read: createOrderReader(environment),
    toSource: createServiceRequestToSource(environment.extensionBase),
    prepare: requirePatient('ServiceRequest.subject'),
    complete: addNames(nameRequester),
  });
