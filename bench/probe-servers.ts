import { token } from './servers/token.ts';

type BundleBody = { readonly total?: number; readonly link?: readonly { relation: string; url: string }[] };

const fetchJson = async (origin: string, path: string): Promise<BundleBody & Record<string, unknown>> => {
  const response = await fetch(`${origin}/fhir/${path}`, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`${path} is answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as BundleBody & Record<string, unknown>;
};

/**
 * Requires that all compared servers return the same except for links, so that none is fast because it returns less.
 */
export const requireSameResponses = async (
  origins: readonly string[],
  paths: readonly string[],
): Promise<void> => {
  for (const path of paths) {
    const found = await Promise.all(
      origins.map(async (origin) => {
        const { link: _link, ...answer } = await fetchJson(origin, path);
        return JSON.stringify(answer);
      }),
    );
    if (new Set(found).size > 1) throw new Error(`${path} is answered differently: ${found.join('\n')}`);
  }
};

/** The path of the last page of a search, found by following `next`. */
export const findLastPageByNext = async (origin: string, type: string, count: number): Promise<string> => {
  const { total = 0 } = await fetchJson(origin, `${type}?_count=0`);
  const { link = [] } = await fetchJson(
    origin,
    `${type}?_count=${count}&_offset=${lastOffset(total, count) - count}`,
  );
  const next = link.find(({ relation }) => relation === 'next');
  if (next === undefined) throw new Error('There is no next page before the last.');
  return next.url;
};

const lastOffset = (total: number, count: number) => Math.floor((total - 1) / count) * count;

/** The path of the last page of a search, by its offset. */
export const findLastPageByOffset = async (origin: string, type: string, count: number): Promise<string> => {
  const { total = 0 } = await fetchJson(origin, `${type}?_count=0`);
  return `${type}?_count=${count}&_offset=${lastOffset(total, count)}`;
};
