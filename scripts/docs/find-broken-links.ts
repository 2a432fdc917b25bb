import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { anchorOf } from './anchor-of.ts';

const fence = /^```[\s\S]*?^```$/gm;

/** A link to a file beside the document, or from the root; after a colon, a name that the file declares. */
const linkPattern = /\]\((?<path>[^)#:]*)(?:#(?<anchor>[^)]*))?\)(?:: `(?<name>\w+)`)?/g;

/** The anchors of a document's headings. */
const anchorsOf = (markdown: string): ReadonlySet<string> =>
  new Set(
    Array.from(markdown.replace(fence, '').matchAll(/^#+ (.*)$/gm), ([, heading = '']) => anchorOf(heading)),
  );

/** The links of a document to a file, a heading or a declaration that does not exist. */
export const findBrokenLinks = (name: string, document: string): readonly string[] => {
  const links = document.replace(fence, '').matchAll(linkPattern);
  return Array.from(links).flatMap(({ groups = {} }) => {
    const { path = '', anchor, name: declared } = groups;
    const target = path === '' ? name : path.startsWith('/') ? path.slice(1) : join(dirname(name), path);
    if (!existsSync(target)) return [`links to ${target}, which does not exist`];
    if (anchor === undefined && declared === undefined) return [];
    const text = readFileSync(target, 'utf8');
    return [
      ...(anchor !== undefined && !anchorsOf(text).has(anchor)
        ? [`links to ${target}#${anchor}, which has no such heading`]
        : []),
      ...(declared !== undefined && !new RegExp(`^(?:export )?const ${declared}\\b`, 'm').test(text)
        ? [`names ${declared}, which ${target} does not declare`]
        : []),
    ];
  });
};
