import type { bulkExportPaths } from '../openapi/bulk-export-paths.ts';

/** The parts of a path of `$export`. */
export type ExportPath = {
  /** The path below the base path, in the template form of OpenAPI. */
  readonly template: keyof typeof bulkExportPaths;
  /** The id of the export; empty if the path begins one. */
  readonly id: string;
  /** The name of the file; empty if the path names none. */
  readonly name: string;
};

const patterns: readonly (readonly [template: ExportPath['template'], RegExp])[] = [
  ['/$export', /^\/\$export$/],
  ['/Patient/$export', /^\/Patient\/\$export$/],
  ['/$export/{export}', /^\/\$export\/([\w-]+)$/],
  ['/$export/{export}/{file}', /^\/\$export\/([\w-]+)\/([\w.-]+)$/],
];

/** Parses a path; returns null if it is not one of `$export`. */
export const parseExportPath = (path: string, basePath: string): ExportPath | null => {
  if (!path.startsWith(`${basePath}/`)) return null;
  const below = path.slice(basePath.length).replaceAll('%24', '$');
  for (const [template, pattern] of patterns) {
    const match = pattern.exec(below);
    if (match !== null) return { template, id: match[1] ?? '', name: match[2] ?? '' };
  }
  return null;
};
