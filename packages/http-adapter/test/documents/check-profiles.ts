import { resourceTypes } from '@clinical-records/core/adapter';
import { type AnyResource, findFhirIssues, findProfileIssues } from '@clinical-records/testing-profiles';
import { expect } from 'vitest';
import type { Clinic } from '../clinic.ts';

/** The shapes of the resources that were checked. Most tests write the same ones. */
const checked = new Set<string>();

/** Valid ids, here, in references and of an identifier, and times of a clock, none of which makes a resource valid or not. */
const exchangeable =
  /(?<="id":"|"value":"|"reference":"[A-Za-z]+\/)[A-Za-z\d.-]{1,64}(?=")|\d\d:\d\d:\d\d\.\d{3}/g;

const isNew = (resource: string): boolean => {
  const { size } = checked;
  return checked.add(resource.replaceAll(exchangeable, '')).size > size;
};

/** The issues of a resource. One that names its profile conforms to it, and each other one does not. */
export const issuesOf = (resource: AnyResource): readonly string[] => {
  const issues = findProfileIssues(resource);
  if (resource.meta?.profile !== undefined) return [...findFhirIssues(resource), ...issues];
  return [...findFhirIssues(resource), ...(issues.length === 0 ? ['It does not name its profile.'] : [])];
};

/** Expects that each version of each resource in a clinic, as it is read, is valid FHIR, and names its US Core profile if it conforms to it. */
export const expectProfiles = async (clinic: Clinic): Promise<void> => {
  const written = (await clinic.feed()).filter(
    ({ type, resource }) => resourceTypes.some((one) => one === type) && resource !== null && isNew(resource),
  );
  for (const path of new Set(written.map(({ type, id }) => `/${type}/${id}/_history?_count=100`))) {
    const { json: bundle } = await clinic.get(path);
    const resources: AnyResource[] = bundle.entry.map(({ resource }: { resource: AnyResource }) => resource);
    const issues = [...findFhirIssues(bundle), ...resources.flatMap(issuesOf)];
    expect(issues.length === 0 ? [] : [issues, bundle]).toEqual([]);
  }
};
