/**
 * Types of resources of the host's own, with everything that the library's own types have. Experimental: it may change before 1.0.
 * You need it for allergies, conditions and the like.
 *
 * @module @clinical-records/core/define-resource
 */

import * as z from 'zod';
import { nonEmptyElement } from './fhir/element.ts';
import type { SchemaOutput } from './fhir/schema.ts';
import { checkSpec, checkType } from './host-type/check-spec.ts';
import { createDefinition } from './host-type/host-type.ts';
import { keepDefinition } from './host-type/kept-definitions.ts';
import type {
  HostResource,
  HostSearch,
  HostSearchInput,
  HostService,
  HostType,
  HostTypeSpec,
  HostWrite,
  Shape,
} from './host-type/model.ts';

export { anyCoding, anyConcept } from './fhir/coding.ts';
export { date, dateTime, period } from './fhir/date-time.ts';
export {
  code,
  decimal,
  integer,
  list,
  oneOf,
  positiveInteger,
  text,
} from './fhir/element.ts';
export { identifier } from './fhir/identifier.ts';
export { quantity, range, ratio, simpleQuantity, timing } from './fhir/quantity.ts';
export { annotation, anyReference, elementReference, reference } from './fhir/reference.ts';
export type { HostResource, HostService, HostType, HostTypeSpec } from './host-type/model.ts';

/**
 * An object with some elements, at least one of which is sent. Of the other elements that FHIR has for it, `unstored` names those that a
 * body may have: they are dropped, or refused under strict handling.
 */
export const element = <Elements extends Shape>(
  elements: Elements,
  unstored: readonly string[] = [],
): z.ZodType<SchemaOutput<z.ZodObject<Elements>>> =>
  // The same values: only the compiler keeps them from being changed.
  nonEmptyElement(elements, unstored) as z.ZodType<SchemaOutput<z.ZodObject<Elements>>>;

/**
 * A type that is not defined any more, for `createClinicalRecords({ types })`. Its records are not served, but they are kept: charts that
 * have some are merged, erased, copied and verified. Throws a TypeError for a name that cannot be a type of a host.
 *
 * @example
 * const types = [allergy, retired('Condition')];
 */
export const retired = (type: string): HostType<never, never, never, never> => {
  checkType('retired', type);
  return keepDefinition({ type } as HostType<never, never, never, never>, { retired: type });
};

/** The resource of a type, as it is read. */
export type ResourceOf<Type extends HostType> = NonNullable<Type['types']>['resource'];

/** One of some codes. */
export const codes = z.enum;

/**
 * Defines a type of resource of the host's own, for `createClinicalRecords({ types })`. Throws a TypeError for a mistake, such as a
 * search parameter whose path leads to no element. Source: docs/your-types.md.
 *
 * @example
 * const withAllergies = createClinicalRecords({ store, extensionBase, careTeamRoles, types: [allergy] });
 * await withAllergies.allergies.search({ patient: '7', 'clinical-status': 'active' });
 */
export const defineResource = <
  const Type extends string,
  const Name extends string,
  Elements extends Shape,
  const Search extends HostSearch<HostResource<Type, Elements>>,
  const Write extends HostWrite = never,
>(
  spec: HostTypeSpec<Type, Name, Elements, Search, Write>,
): HostType<
  Type,
  Name,
  HostResource<Type, Elements>,
  HostService<HostResource<Type, Elements>, HostSearchInput<Search>, Write>
> => {
  checkSpec(spec);
  const { type, name } = spec;
  return keepDefinition({ type, name }, createDefinition(spec));
};
