// Tests of the DevTools pipe: messages in pieces, refused commands, and a browser that goes.
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { DevtoolsEvent } from './devtools-events.ts';
import { DevtoolsError, DevtoolsPipe } from './devtools-pipe.ts';

function newPipe() {
  const [toBrowser, fromBrowser] = [new PassThrough(), new PassThrough()];
  const events: DevtoolsEvent[] = [];
  return {
    pipe: new DevtoolsPipe(toBrowser, fromBrowser, (event) => events.push(event)),
    fromBrowser,
    toBrowser,
    events,
  };
}

it('reads messages that come in pieces, and several that come at once', async () => {
  const { pipe, fromBrowser, toBrowser, events } = newPipe();
  const [one, two] = [pipe.send('One'), pipe.send('Two', {}, 'S')];
  expect(String(toBrowser.read())).toBe(
    '{"id":1,"method":"One","params":{}}\0{"id":2,"method":"Two","params":{},"sessionId":"S"}\0',
  );
  const text =
    '{"id":2,"result":{"a":"ü"}}\0{"method":"Inspector.targetCrashed","params":{},"sessionId":"S"}\0{"id":1}\0';
  for (const byte of Buffer.from(text)) fromBrowser.write(Buffer.from([byte]));
  expect(await two).toEqual({ a: 'ü' });
  expect(await one).toEqual({});
  expect(events).toEqual([{ method: 'Inspector.targetCrashed', params: {}, sessionId: 'S' }]);
});

it('fails what was refused, and all that waits when the browser goes', async () => {
  const { pipe, fromBrowser } = newPipe();
  const refused = pipe.send('Bad');
  fromBrowser.write('{"id":1,"error":{"message":"no such method"}}\0');
  await expect(refused).rejects.toThrow('no such method');
  const waiting = pipe.send('Late');
  fromBrowser.destroy();
  await expect(waiting).rejects.toThrow(DevtoolsError);
});
