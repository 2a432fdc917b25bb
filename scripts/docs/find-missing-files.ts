import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

const fence = /^```[\s\S]*?^```$/gm;
const comment = /<!--.*?-->/g;

/** A file of TypeScript in a code span, such as `records/find.ts`, or a folder, such as `records/`. Braces list several. */
const spanPattern = /`(?<path>[\w@{},.-][\w@{},./-]*(?:\.tsx?|\/))`/g;

/** A path from the root in a span or a command, such as `examples/server/deploy/nginx.conf`. */
const rootPattern =
  /(?<=[`\s])(?<path>(?:docs|examples|packages|scripts|site|testing)\/(?!dist\b)[\w@{},./-]*\w)(?=[`\s,.:#])/g;

const scriptPattern = /\bnpm run (?:-s )?(?<script>[\w:-]+)/g;

/** The beginnings of SMART scopes, not folders. */
const levels = new Set(['patient/', 'user/', 'system/']);

const expandBraces = (path: string): readonly string[] => {
  const [, before = '', names, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? [];
  return names === undefined ? [path] : names.split(',').map((name) => `${before}${name}${after}`);
};

const namesIn = (text: string, pattern: RegExp): readonly string[] =>
  Array.from(text.matchAll(pattern)).flatMap(({ groups: { path = '' } = {} }) => expandBraces(path));

const readScripts = (): ReadonlySet<string> => {
  const { scripts = {} } = existsSync('package.json') ? JSON.parse(readFileSync('package.json', 'utf8')) : {};
  return new Set(Object.keys(scripts));
};

/**
 * Finds the files, folders and npm scripts that a document names and that do not exist. A path may begin anywhere, and leave out `src/`;
 * in the README of an example, it begins within the example, or at the root.
 */
export const createFindMissingFiles = (): ((name: string, document: string) => readonly string[]) => {
  const files = globSync(['**/*.{ts,tsx}', '**/.vitepress/*.ts'], {
    exclude: ['**/node_modules', '**/dist'],
  }).map((file) => `/${file.replaceAll('\\', '/')}\n`);
  const scripts = readScripts();
  const listUnder = (folder: string): string => {
    const within = files.filter((file) => file.startsWith(folder));
    return [...within, ...within.map((file) => file.replace('/src/', '/'))].join('');
  };
  const everything = listUnder('/');
  const isFound = (path: string, listed: string): boolean =>
    existsSync(path) || listed.includes(path.endsWith('/') ? `/${path}` : `/${path}\n`);
  return (name, document) => {
    const listed = name.startsWith('examples/') ? listUnder(`/${dirname(name)}/`) : everything;
    const missing = [
      ...namesIn(document.replace(fence, ''), spanPattern).filter(
        (path) => !levels.has(path) && !isFound(path, listed),
      ),
      ...namesIn(document.replace(comment, ''), rootPattern).filter((path) => !existsSync(path)),
    ];
    const unknown = Array.from(document.matchAll(scriptPattern), ({ groups }) => groups?.script ?? '').filter(
      (script) => !scripts.has(script),
    );
    return [
      ...new Set(missing.map((path) => `names ${path}, which does not exist`)),
      ...unknown.map((script) => `runs npm run ${script}, which package.json does not have`),
    ];
  };
};
