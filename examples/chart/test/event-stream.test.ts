import { expect, test } from 'vitest';
import { parseEvents } from '../src/model/event-stream.ts';

test('whole events are read, comments are not, and the beginning of the next one is kept', () => {
  expect(parseEvents('event: open\ndata: {}\n\n: \n\nevent: version\ndata: {"a":1}\n\nevent: ver')).toEqual({
    events: [
      { name: 'open', data: '{}' },
      { name: 'version', data: '{"a":1}' },
    ],
    rest: 'event: ver',
  });
});
