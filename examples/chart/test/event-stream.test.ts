import { expect, test } from 'vitest';
import { parseEvents } from '../src/model/event-stream.ts';

test('whole events are read, comments are not, and the beginning of the next one is kept', () => {
  expect(
    parseEvents('event: open\nid: 1\ndata: {}\n\n: \n\nevent: version\ndata: {"a":1}\n\nid: 2\n\nevent: ver'),
  ).toEqual({
    events: [
      { name: 'open', data: '{}', id: '1' },
      { name: 'version', data: '{"a":1}', id: undefined },
      { name: '', data: '', id: '2' },
    ],
    rest: 'event: ver',
  });
});
