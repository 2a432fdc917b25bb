import { isLeft } from 'fp-ts/lib/Either.js';
import type * as z from 'zod';
import type { CareTeamUpdateBody } from '../care-team/bodies.ts';
import type { Issue } from '../errors.ts';
import { toSentBody } from '../fhir/common-elements.ts';
import type { Fields, TypeFields } from '../host-fields/host-extension.ts';
import { createFieldParser } from '../host-fields/read-fields.ts';
import type { ImmunizationCreateBody, ImmunizationUpdateBody } from '../immunization/bodies.ts';
import type { RequestDefinition, Resources } from '../resource-definition.ts';

/** A schema that forms, routers and validators of many libraries take. Source: Standard Schema, version 1. */
export type StandardSchema<Output> = {
  readonly '~standard': {
    readonly version: 1;
    /** The library that made the schema. */
    readonly vendor: string;
    /** The value without elements that are not stored, or the issues with the path of each. */
    readonly validate: (value: unknown) => StandardResult<Output>;
    /** Only for the compiler. */
    readonly types?: { readonly input: Output; readonly output: Output } | undefined;
  };
};

/** The result of a schema: the value, or its issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path: readonly (string | number)[] }[] };

/** The schemas of the bodies of requests, by type and write. */
export type BodySchemas = {
  readonly CareTeam: { readonly update: StandardSchema<CareTeamUpdateBody> };
  readonly Immunization: {
    readonly create: StandardSchema<ImmunizationCreateBody>;
    readonly update: StandardSchema<ImmunizationUpdateBody>;
  };
};

/** The path of an element such as `CareTeam.participant[1].role`, without the type of the resource. */
const toPath = ({ expression = '' }: Issue): readonly (string | number)[] =>
  Array.from(expression.matchAll(/[^.[\]`]+/g), ([step]) => (/^\d+$/.test(step) ? Number(step) : step)).slice(
    1,
  );

const toStandardSchema = (
  type: string,
  { body }: RequestDefinition,
  extensionBase: string,
  fields: TypeFields | undefined,
): StandardSchema<unknown> => {
  const parse = createFieldParser(body(extensionBase) as z.ZodType<object>, type, fields);
  const validate = (value: unknown): StandardResult<unknown> => {
    const parsed = parse(value, 'lenient');
    if (isLeft(parsed))
      return { issues: parsed.left.issues.map((issue) => ({ message: issue.message, path: toPath(issue) })) };
    return { value: toSentBody(parsed.right) };
  };
  return { '~standard': { version: 1, vendor: 'clinical-records', validate } };
};

/** Makes the schemas that also parse the bodies of requests. */
export const createBodySchemas = (
  resources: Resources,
  extensionBase: string,
  fields?: Fields,
): BodySchemas =>
  Object.fromEntries(
    Array.from(resources, ([type, { requests }]) => [
      type,
      Object.fromEntries(
        Object.entries(requests).flatMap(([write, request]) =>
          'body' in request
            ? [[write, toStandardSchema(type, request, extensionBase, fields?.get(type))]]
            : [],
        ),
      ),
    ]),
  ) as unknown as BodySchemas;
