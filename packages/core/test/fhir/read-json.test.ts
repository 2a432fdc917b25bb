import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { valueAt } from '../../src/fhir/issues.ts';
import { type JsonOptions, readJson } from '../../src/fhir/read-json.ts';
import { Decimal } from '../../src/fhir/schema.ts';

const expressionsIn = (text: string) =>
  readJson(text, { resourceType: 'Goal' }).issues.map(({ expression }) => expression);

const outcomeOf = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return (error as Error).name;
  }
};

/** A value with the number that JavaScript has for each decimal. */
const withoutDecimals = (value: unknown): unknown => {
  if (value instanceof Decimal) return Number(value);
  if (Array.isArray(value)) return value.map(withoutDecimals);
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutDecimals(part)]))
    : value;
};

/** Expects what `JSON.parse` does. Of a name that is there twice, V8 returns either value, whichever it has seen before. */
const expectSame = (text: string): void => {
  const read = outcomeOf(() => readJson(text)) as ReturnType<typeof readJson> | string;
  const parsed = outcomeOf(() => JSON.parse(text));
  if (typeof read === 'string') expect(parsed).toBe(read);
  else if (read.issues.length === 0) expect(withoutDecimals(read.value)).toEqual(parsed);
};

/** A JSON value as a tree whose objects can have a name several times. */
type Tree =
  | { readonly text: string }
  | { readonly items: readonly Tree[] }
  | { readonly members: readonly (readonly [name: string, value: Tree])[] };

/**
 * Names without a backslash. If V8 13.6 has parsed an object with a backslash as a name, it reads an escaped name in its place
 * as a backslash, too. No name of FHIR has one.
 */
const names = fc
  .oneof(
    fc.constantFrom('a', 'b', 'ab', 'quote"', '', '__proto__', 'constructor', 'é', '\u2028', '\ud800'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  )
  .filter((name) => !name.includes('\\'));

const { tree: trees } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.json({ maxDepth: 0 }).map((text) => ({ text })),
    fc
      .constantFrom('0.50', '-0', '1e3', '1E+2', '12345678901234567890', '0', '"a\\\\"', '"{[\\""')
      .map((text) => ({ text })),
    fc.array(tie('tree'), { maxLength: 4 }).map((items) => ({ items })),
    fc.array(fc.tuple(names, tie('tree')), { maxLength: 20 }).map((members) => ({ members })),
  ),
}));

const space = fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n  ');

/** Spells a name, with some of its characters escaped. */
const spell = (name: string, isEscaped: () => boolean): string =>
  `"${Array.from({ length: name.length }, (_, at) =>
    isEscaped()
      ? `\\u${name.charCodeAt(at).toString(16).padStart(4, '0')}`
      : JSON.stringify(name.charAt(at)).slice(1, -1),
  ).join('')}"`;

type Random = { readonly space: () => string; readonly isEscaped: () => boolean };

const print = (tree: Tree, random: Random): string => {
  const { space, isEscaped } = random;
  if ('text' in tree) return tree.text;
  const parts =
    'items' in tree
      ? tree.items.map((item) => print(item, random))
      : tree.members.map(
          ([name, value]) => `${spell(name, isEscaped)}${space()}:${space()}${print(value, random)}`,
        );
  const [open, close] = 'items' in tree ? '[]' : '{}';
  return `${open}${space()}${parts.join(`${space()},${space()}`)}${space()}${close}`;
};

/** Counts the members whose name their object has before them. */
const countRepeated = (tree: Tree): number => {
  if ('text' in tree) return 0;
  if ('items' in tree) return tree.items.reduce((sum, item) => sum + countRepeated(item), 0);
  const own = tree.members.length - new Set(tree.members.map(([name]) => name)).size;
  return tree.members.reduce((sum, [, value]) => sum + countRepeated(value), own);
};

const texts = fc
  .tuple(trees, fc.infiniteStream(space), fc.infiniteStream(fc.boolean()))
  .map(([tree, spaces, escapes]) => {
    const next = <A>(stream: Iterator<A>) => stream.next().value as A;
    const text = print(tree, { space: () => next(spaces), isEscaped: () => next(escapes) });
    return { tree, text };
  });

describe('The value is that of JSON.parse, but for decimals', () => {
  test('for any text that is JSON, with any spelling of names', () => {
    fc.assert(
      fc.property(texts, ({ text }) => {
        expectSame(text);
      }),
    );
  });
  test('for a text that is cut off, or has a character too many', () => {
    const broken = fc
      .tuple(
        texts,
        fc.nat(),
        fc.constantFrom(
          '',
          '"',
          '\\',
          '{',
          '}',
          '[',
          ']',
          ',',
          ':',
          '-',
          '.',
          '1',
          'e',
          '\ufeff',
          '\u0000',
          'x',
        ),
      )
      .map(([{ text }, sent, inserted]) => {
        const at = sent % (text.length + 1);
        return [text.slice(0, at), text.slice(0, at) + inserted + text.slice(at)];
      });
    fc.assert(
      fc.property(broken, (broken) => {
        for (const text of broken) expectSame(text);
      }),
    );
  });
  test('for any text', () => {
    const json = fc.array(fc.constantFrom(...'{}[]",:\\u0061-.e1 truefalsn')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(json, fc.string({ unit: 'binary' })), (text) => {
        expectSame(text);
      }),
    );
  });
  test('of a name such as __proto__, too, which changes no prototype', () => {
    const { value, issues } = readJson('{"__proto__":{"id":"ben"}}');
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(issues).toEqual([]);
  });
});

describe('Each property that occurs more than once is an issue', () => {
  test.each([
    ['with different values', '{"id":"7","id":"8"}', ['Goal.id']],
    ['with equal values', '{"id":"7","id":"7"}', ['Goal.id']],
    ['three times', '{"id":1,"id":2,"id":3}', ['Goal.id', 'Goal.id']],
    ['in an array', '{"note":[{},{"text":"a","time":"b","text":"c"}]}', ['Goal.note[1].text']],
    ['in the part that JSON.parse drops', '{"a":{"b":1,"b":2},"a":3}', ['Goal.a.b', 'Goal.a']],
    ['spelt with escapes', '{"id":1,"\\u0069\\u0064":2}', ['Goal.id']],
    [
      'of a name with a backslash',
      String.raw`{"note":{"\\":1,"\u005c":2,"\"":3,"\u0022":4}}`,
      ['Goal.note', 'Goal.note'],
    ],
    ['of a name that FHIR does not have', '{"note":[{"<b>":1,"<b>":2}]}', ['Goal.note[0]']],
    [
      'after many others',
      `{${Array.from({ length: 100 }, (_, n) => `"a${n}":0`)},"a3":1,"a99":1}`,
      ['Goal.a3', 'Goal.a99'],
    ],
  ])('%s', (_, text, expected) => {
    expect(expressionsIn(text)).toEqual(expected);
  });
  test.each([
    ['one name in several objects', '{"id":{"id":{"id":[{"id":1},{"id":1}]}},"a":{"id":1}}'],
    ['names that differ in their case', '{"id":1,"ID":2}'],
    ['a string that equals a name', '{"id":"id","text":"id","array":["id","id"]}'],
    ['a string that looks like a member', '{"id":"\\",\\"id\\":1","text":"\\\\"}'],
    ['what Object.prototype has', '{"constructor":1,"toString":2}'],
  ])('%s is none', (_, text) => {
    expect(expressionsIn(text)).toEqual([]);
  });
  test('at every depth, with any spelling', () => {
    fc.assert(
      fc.property(texts, ({ tree, text }) => {
        expect(readJson(text).issues.length).toBe(Math.min(countRepeated(tree), 100));
      }),
    );
  });
  test('at most a hundred of them, whose places are not longer than a hundred names', () => {
    const depth = 10_000;
    const { issues } = readJson(`${'{"a":1,"a":'.repeat(depth)}1${'}'.repeat(depth)}`, {
      resourceType: 'Goal',
    });
    expect(issues.length).toBe(100);
    expect(issues.at(-1)?.expression).toBe(`Goal${'.a'.repeat(100)}`);
    const deep = readJson(`${'{"b":'.repeat(depth)}{"a":1,"a":2}${'}'.repeat(depth)}`, {
      resourceType: 'Goal',
    });
    expect(deep.issues.map(({ expression }) => expression)).toEqual([`Goal${'.b'.repeat(100)}`]);
  });
});

describe('A number that JavaScript writes in another way', () => {
  test.each([
    '0.50',
    '1.0',
    '-0',
    '1e3',
    '1E3',
    '0.00000001',
    '12345678901234567890',
    '0.1234567890123456789',
    '1e999',
  ])('is a decimal with its text: %s', (number) => {
    const decimal = new Decimal(number);
    expect(readJson(`{"dose":[1,{"value": ${number} ,"0":${number}},${number}]}`).value).toEqual({
      dose: [1, { value: decimal, 0: decimal }, decimal],
    });
    expect(readJson(number).value).toEqual(decimal);
  });
  test.each(['0', '7', '-1', '0.5', '-12.25', '9007199254740991', '1e+21', '1e-7'])(
    'and no others: %s',
    (number) => {
      expect(readJson(`{"dose":[{"value":${number}}],"text":"0.50"}`).value).toEqual({
        dose: [{ value: Number(number) }],
        text: '0.50',
      });
    },
  );
  test('compares and calculates as its number', () => {
    const value = readJson('0.50').value as number;
    expect([value < 1, value * 2, Number(value)]).toEqual([true, 1, 0.5]);
  });
  test('in any text without repeated names, each is at its place', () => {
    const valueIn = (tree: Tree): unknown => {
      if ('items' in tree) return tree.items.map(valueIn);
      if ('members' in tree)
        return Object.fromEntries(tree.members.map(([name, value]) => [name, valueIn(value)]));
      const value: unknown = JSON.parse(tree.text);
      return typeof value === 'number' && String(value) !== tree.text ? new Decimal(tree.text) : value;
    };
    fc.assert(
      fc.property(texts, ({ tree, text }) => {
        fc.pre(countRepeated(tree) === 0);
        expect(readJson(text).value).toEqual(valueIn(tree));
      }),
    );
  });
  test('is one up to a depth of a hundred', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}1.0${']'.repeat(depth)}`;
    const innermost = (depth: number) => valueAt(readJson(nested(depth)).value, Array(depth).fill(0));
    expect(innermost(100)).toEqual(new Decimal('1.0'));
    expect(innermost(101)).toBe(1);
  });
});

describe('A text beyond a limit is not parsed', () => {
  const outcome = (text: string, limits: JsonOptions) => {
    const { value, issues } = readJson(text, { resourceType: 'Goal', ...limits });
    return [value, issues.map(({ rule, expression }) => [rule, expression])];
  };
  const refused = [undefined, [['too-complex', 'Goal']]];

  test('the different names of all objects count', () => {
    const text = '{"a":1,"b":[{"a":1,"\\u0062":1},{"c":1}]}';
    expect(outcome(text, { maxNames: 3 })[0]).toEqual(JSON.parse(text));
    expect(outcome(text, { maxNames: 2 })).toEqual(refused);
  });
  test('objects and arrays count as levels', () => {
    const text = '[{"a":[{}]},[[]]]';
    expect(outcome(text, { maxDepth: 4 })[0]).toEqual(JSON.parse(text));
    expect(outcome(text, { maxDepth: 3 })).toEqual(refused);
  });
  test('even if it is not JSON', () => {
    expect(outcome('[[[', { maxDepth: 2 })).toEqual(refused);
  });
});
