const text = { type: 'string' } as const;

/** The headers of responses, by their names. */
export const headers = {
  ETag: { description: 'The version, as `If-Match` expects it.', schema: { ...text, examples: ['W/"3"'] } },
  'Last-Modified': {
    description: 'The time of the last change, as `If-Unmodified-Since` expects it.',
    schema: { ...text, examples: ['Wed, 02 Oct 2024 09:30:00 GMT'] },
  },
  Location: { description: 'The URL of the new resource.', schema: { ...text, format: 'uri-reference' } },
  'Cache-Control': {
    description: 'The response must not be cached.',
    schema: { ...text, const: 'no-store' },
  },
  'X-Content-Type-Options': {
    description: 'The body has the type that `Content-Type` names.',
    schema: { ...text, const: 'nosniff' },
  },
  'X-Request-Id': {
    description: 'The id of the request: that of the request header if it is short and plain, or a new one.',
    schema: text,
  },
  Allow: { description: 'The methods that are supported here.', schema: text },
  'Retry-After': { description: 'The seconds after which to send it again.', schema: text },
  'WWW-Authenticate': { description: 'The way to authenticate.', schema: { ...text, const: 'Bearer' } },
} as const;

/** References to the headers of every response, and to the named ones. */
export const headerRefs = (...names: readonly (keyof typeof headers)[]) =>
  Object.fromEntries(
    (['Cache-Control', 'X-Content-Type-Options', 'X-Request-Id', ...names] as const).map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );
