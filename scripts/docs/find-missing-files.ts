import { globSync } from 'node:fs';

const fence = /^```[\s\S]*?^```$/gm;

/** A file of TypeScript in a code span, such as `records/find.ts`. Braces list several. */
const spanPattern = /`(?<path>[\w@{},./-]+\.tsx?)`/g;

const expandBraces = (path: string): readonly string[] => {
  const [, before = '', names, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? [];
  return names === undefined ? [path] : names.split(',').map((name) => `${before}${name}${after}`);
};

/** Finds the files that a document names and that are nowhere. A path may begin anywhere, and leave out `src/`. */
export const createFindMissingFiles = (): ((document: string) => readonly string[]) => {
  const files = globSync(['**/*.{ts,tsx}', '**/.vitepress/*.ts'], {
    exclude: ['**/node_modules', '**/dist'],
  }).map((file) => `/${file.replaceAll('\\', '/')}\n`);
  const listed = [...files, ...files.map((file) => file.replace('/src/', '/'))].join('');
  return (document) =>
    [...document.replace(fence, '').matchAll(spanPattern)]
      .flatMap(({ groups: { path = '' } = {} }) => expandBraces(path))
      .filter((path) => !listed.includes(`/${path}\n`))
      .map((path) => `names ${path}, which does not exist`);
};
