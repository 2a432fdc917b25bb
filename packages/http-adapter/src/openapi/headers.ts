const text = { type: 'string' } as const;

/** The headers of answers, by their names. */
export const headers = {
  ETag: { description: 'The version, as `If-Match` takes it.', schema: { ...text, examples: ['W/"3"'] } },
  'Last-Modified': {
    description: 'When it was last modified, as `If-Unmodified-Since` takes it.',
    schema: { ...text, examples: ['Wed, 02 Oct 2024 09:30:00 GMT'] },
  },
  Location: { description: 'Where the new resource is.', schema: { ...text, format: 'uri-reference' } },
  'Cache-Control': { description: 'No cache keeps it.', schema: { ...text, const: 'no-store' } },
  'X-Content-Type-Options': {
    description: 'The body is of the type that `Content-Type` names.',
    schema: { ...text, const: 'nosniff' },
  },
  Allow: { description: 'The methods that can be used here.', schema: text },
  'WWW-Authenticate': { description: 'How to come in.', schema: { ...text, const: 'Bearer' } },
} as const;

/** References to headers of answers: those of every answer, and the named ones. */
export const headerRefs = (...names: readonly (keyof typeof headers)[]) =>
  Object.fromEntries(
    (['Cache-Control', 'X-Content-Type-Options', ...names] as const).map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );
