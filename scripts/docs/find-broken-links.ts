import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { anchorOf } from './anchor-of.ts';

const fence = /^```[\s\S]*?^```$/gm;

/** A link to a file beside the document, or from the root; after a colon, a name that the file declares, or the title of a test. */
const linkPattern =
  /\]\((?<path>[^)#:]*)(?:#(?<anchor>[^)]*))?\)(?:: (?:`(?<name>\w+)`|"(?<title>[^"\n]+)"))?/g;

/** The title of a test or of several, as the first argument of a call that does not skip it. */
const hasTest = (source: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) =>
    source
      .split(quote + title.replaceAll(quote, `\\${quote}`) + quote)
      .slice(0, -1)
      .some((before) => /(?<!\.(?:skip|todo))\(\s*$/.test(before)),
  );

/** The anchors of a document's headings. */
const anchorsOf = (markdown: string): ReadonlySet<string> =>
  new Set(
    Array.from(markdown.replace(fence, '').matchAll(/^#+ (.*)$/gm), ([, heading = '']) => anchorOf(heading)),
  );

/** The links of a document to a file, a heading or a declaration that does not exist. */
export const findBrokenLinks = (name: string, document: string): readonly string[] => {
  const links = document.replace(fence, '').matchAll(linkPattern);
  return Array.from(links).flatMap(({ groups = {} }) => {
    const { path = '', anchor, name: declared, title } = groups;
    const target = path === '' ? name : path.startsWith('/') ? path.slice(1) : join(dirname(name), path);
    if (!existsSync(target)) return [`links to ${target}, which does not exist`];
    if (anchor === undefined && declared === undefined && title === undefined) return [];
    const text = readFileSync(target, 'utf8');
    return [
      ...(anchor !== undefined && !anchorsOf(text).has(anchor)
        ? [`links to ${target}#${anchor}, which has no such heading`]
        : []),
      ...(declared !== undefined && !new RegExp(`^(?:export )?const ${declared}\\b`, 'm').test(text)
        ? [`names ${declared}, which ${target} does not declare`]
        : []),
      ...(title !== undefined && !hasTest(text, title)
        ? [`names the test "${title}", which ${target} does not have`]
        : []),
    ];
  });
};
