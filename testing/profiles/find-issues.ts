import { OperationOutcomeError, validateResource, validateTypedValue } from '@medplum/core';
import fhirpath from 'fhirpath';
import r4 from 'fhirpath/fhir-context/r4';
import { codesOfSystem, readDefinitions } from './definitions.ts';
import { usCoreProfiles } from './us-core-profiles.ts';

/** A FHIR resource of any type. */
export type AnyResource = {
  readonly resourceType: string;
  readonly meta?: { readonly profile?: readonly string[] };
  readonly [element: string]: unknown;
};

const profileTypes = Object.keys(usCoreProfiles);

let definitions: ReturnType<typeof readDefinitions> | undefined;

const definitionsOfFhir = () =>
  (definitions ??= readDefinitions([
    ...profileTypes,
    'Bundle',
    'OperationOutcome',
    'CapabilityStatement',
    'AuditEvent',
  ]));

const issuesOf = (validate: () => unknown): readonly string[] => {
  try {
    validate();
    return [];
  } catch (thrown) {
    if (thrown instanceof OperationOutcomeError) return [thrown.message];
    throw thrown;
  }
};

const compiled = new Map<string, (resource: AnyResource) => unknown>();

const evaluate = (resource: AnyResource, path: string): unknown[] => {
  const run = compiled.get(path) ?? (fhirpath.compile(path, r4) as (resource: AnyResource) => unknown);
  compiled.set(path, run);
  return run(resource) as unknown[];
};

/** Where a resource is not valid FHIR R4. The bound codes of its elements are part of that; its code systems are not. */
export const findFhirIssues = (resource: AnyResource): readonly string[] => {
  const { requiredCodes, invariants } = definitionsOfFhir();
  const wrongCodes = [...requiredCodes(resource.resourceType)].flatMap(([path, codes]) =>
    evaluate(resource, path)
      .filter((code) => typeof code === 'string' && !codes.has(code))
      .map((code) => `${path} is not of its value set: ${code}`),
  );
  const broken = invariants(resource.resourceType).filter((one) => evaluate(resource, one)[0] !== true);
  return [...issuesOf(() => validateResource(resource as never)), ...wrongCodes, ...broken];
};

type Coding = { readonly system: string; readonly code?: string };

/** Every coding in a value, at any depth. An identifier and a contact point have a system, too, and a value. */
const codingsIn = (value: unknown): readonly Coding[] => {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(codingsIn);
  const isCoding = 'system' in value && (!('value' in value) || 'code' in value);
  return isCoding ? [value as Coding, ...inner] : inner;
};

/** The code systems of FHIR R4 itself. */
const ofFhir = /^http:\/\/(?:terminology\.hl7\.org\/CodeSystem|hl7\.org\/fhir)\/[^/]+$/;

/** Whether CVX can have a code. The first ones were those of HL7's table 0292; later ones have three digits. */
const isVaccineCode = (code: string): boolean =>
  codesOfSystem('http://terminology.hl7.org/CodeSystem/v2-0292')?.has(code) || /^[1-9]\d\d$/.test(code);

/** Whether the system of a coding is a URL, and a system of FHIR R4 or CVX has the code. */
const isSound = ({ system, code = '' }: Coding): boolean =>
  /^[a-z]+:/.test(system) &&
  (system !== 'http://hl7.org/fhir/sid/cvx' || isVaccineCode(code)) &&
  (!ofFhir.test(system) || (codesOfSystem(system)?.has(code) ?? false));

/** Where a resource does not conform to its US Core profile. */
export const findProfileIssues = (resource: AnyResource): readonly string[] => {
  const profile = usCoreProfiles[resource.resourceType];
  if (profile === undefined) return [`There is no profile of ${resource.resourceType}.`];
  const { codedIn = {}, invariants = [] } = profile;
  const type = definitionsOfFhir().typeWithProfile(resource.resourceType);
  return [
    ...issuesOf(() => validateTypedValue({ type, value: resource })),
    ...codingsIn(resource)
      .filter((coding) => !isSound(coding))
      .map(({ system, code }) => `There is no code ${system}|${code}`),
    ...Object.entries(codedIn)
      .filter(
        ([path, system]) => evaluate(resource, `${path}.coding.where(system = '${system}')`).length === 0,
      )
      .map(([path, system]) => `${path} has no code of ${system}`),
    ...invariants.filter((one) => evaluate(resource, one)[0] !== true),
  ];
};

/** The values at a FHIRPath in a value, which may be no resource. Throws if the path is not FHIRPath. */
export const evaluatePath = (value: object, path: string): unknown[] => evaluate(value as AnyResource, path);

/** The must-support elements of a profile that no resource has. */
export const findMissingElements = (resources: readonly AnyResource[]): readonly string[] =>
  Object.entries(usCoreProfiles).flatMap(([type, { mustSupport = [] }]) => {
    const ofType = resources.filter(({ resourceType }) => resourceType === type);
    return mustSupport
      .filter((path) => !ofType.some((one) => evaluate(one, path).length > 0))
      .map((path) => `${type}.${path}`);
  });
