const exportPathPatterns = [
  ['/$export', /^\/\$export$/],
  ['/Patient/$export', /^\/Patient\/\$export$/],
  ['/Group/{id}/$export', /^\/Group\/(?<groupId>[A-Za-z0-9\-.]{1,64})\/\$export$/],
  ['/$export/{export}', /^\/\$export\/(?<id>[\w-]+)$/],
  ['/$export/{export}/{file}', /^\/\$export\/(?<id>[\w-]+)\/(?<name>[\w.-]+)$/],
] as const;

export type ExportPath = {
  /** The path below the base path, in the template form of OpenAPI. */
  readonly template: (typeof exportPathPatterns)[number][0];
  /** The id of the group whose charts are exported; empty if the path names none. */
  readonly groupId: string;
  /** The id of the export; empty if the path begins one. */
  readonly id: string;
  /** The name of the file; empty if the path names none. */
  readonly name: string;
};

/** Parses a path; returns null if it is not one of `$export`. */
export const parseExportPath = (path: string, basePath: string): ExportPath | null => {
  if (!path.startsWith(`${basePath}/`)) return null;
  const below = path.slice(basePath.length).replaceAll('%24', '$');
  for (const [template, pattern] of exportPathPatterns) {
    const match = pattern.exec(below);
    if (match === null) continue;
    const { groupId = '', id = '', name = '' } = match.groups ?? {};
    return { template, groupId, id, name };
  }
  return null;
};
