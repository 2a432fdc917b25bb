import { hasTooManyParameters } from './parameter-text.ts';

/** The media types of requests and responses. The first one is used if a request leaves the choice open. */
export const mediaTypes = ['application/json', 'application/fhir+json'] as const;

export type MediaType = (typeof mediaTypes)[number];

type MediaRange = { readonly type: string; readonly parameters: ReadonlyMap<string, string> };

const parseMediaRange = (text: string): MediaRange => {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  return {
    type: type.toLowerCase(),
    parameters: new Map(
      parameters.map((parameter) => {
        const [name = '', value = ''] = parameter.split('=');
        return [
          name.trim().toLowerCase(),
          value
            .trim()
            .replace(/^"(.*)"$/, '$1')
            .toLowerCase(),
        ];
      }),
    ),
  };
};

const qualityOf = ({ parameters }: MediaRange): number => Number(parameters.get('q') ?? 1);

/** The preference for a media type: the quality of the most specific range that covers it, or 0. */
const qualityFor = (ranges: readonly MediaRange[], mediaType: MediaType): number => {
  const covering = [mediaType, 'application/*', '*/*'].flatMap(
    (wanted) => ranges.find(({ type }) => type === wanted) ?? [],
  );
  return covering[0] === undefined ? 0 : qualityOf(covering[0]);
};

/** The media types for the values of `_format`. */
const formats: ReadonlyMap<string, MediaType> = new Map([
  ['json', mediaTypes[0]],
  ['application/json', mediaTypes[0]],
  ['application/fhir+json', mediaTypes[1]],
]);

/**
 * The media type that `_format` in a query asks for; undefined without it, and null if it is not served. Source: FHIR R4,
 * RESTful API, 3.1.0.1.11.
 */
export const requestedFormat = (query: string): MediaType | null | undefined => {
  if (!query.includes('_format=') || hasTooManyParameters(query)) return undefined;
  const format = new URLSearchParams(query).get('_format');
  // An unescaped plus sign in a query is a space.
  return format === null ? undefined : (formats.get(format.replace(' ', '+')) ?? null);
};

/** The media type of the response; null if none is acceptable. `_format` has precedence. Source: RFC 9110, 12.5.1. */
export const negotiateMediaType = (accept: string | undefined, query = ''): MediaType | null => {
  const requested = requestedFormat(query);
  if (requested !== undefined) return requested;
  if (accept === undefined || ['', '*/*', 'application/json'].includes(accept.trim())) return mediaTypes[0];
  const ranges = accept.split(',').map(parseMediaRange);
  const [first, second] = mediaTypes;
  const best = qualityFor(ranges, second) > qualityFor(ranges, first) ? second : first;
  return qualityFor(ranges, best) > 0 ? best : null;
};

const bodyTypes: Readonly<Record<'json' | 'form', readonly string[]>> = {
  json: mediaTypes,
  form: ['application/x-www-form-urlencoded'],
};

/** Whether a body has the format that a route accepts. A body without a type is assumed to have it. */
export const isSupportedBody = (
  format: 'json' | 'form',
  contentType: string | undefined,
  contentEncoding = '',
): boolean => {
  if (!/^(identity)?$/i.test(contentEncoding)) return false;
  if (contentType === undefined || contentType === bodyTypes[format][0]) return true;
  const { type, parameters } = parseMediaRange(contentType);
  return bodyTypes[format].includes(type) && (parameters.get('charset') ?? 'utf-8') === 'utf-8';
};
