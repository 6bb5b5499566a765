// Tests of a talk's audio by WebRTC: how it is answered, refused and lost.
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { expect, test } from 'vitest';
import { RtcRefusal, type RtcTalkerEvents } from '../whep/rtc-worker.ts';
import { DirectAudio } from './direct-audio.ts';

function setUp() {
  const clock = new FakeClock();
  const answer = Promise.withResolvers<string>();
  const answers: (string | null)[] = [];
  const heard: number[] = [];
  const failures: unknown[] = [];
  const opened: { events?: RtcTalkerEvents; closed: number } = { closed: 0 };
  const direct = new DirectAudio({
    offer: 'v=0',
    codec: 'pcma',
    clock,
    worker: {
      receive: (_offer, _codec, events) => {
        opened.events = events;
        return { answer: answer.promise, close: () => (opened.closed += 1) };
      },
    },
    onAnswer: (sdp) => answers.push(sdp),
    onAudio: (audio) => heard.push(audio.length),
    onFailure: (error) => failures.push(error),
  });
  return { clock, answer, answers, heard, failures, opened, direct };
}

test('passes the answer and the audio on, and says that audio comes this way', async () => {
  const { answer, answers, heard, opened, direct } = setUp();
  answer.resolve('v=0 answer');
  await expect.poll(() => answers).toEqual(['v=0 answer']);
  expect(direct.isCarrying).toBe(false);
  opened.events?.audio(Buffer.alloc(160));
  expect([heard, direct.isCarrying]).toEqual([[160], true]);
});

test('a refused offer is answered with none, and is no failure', async () => {
  const { answer, answers, failures, opened } = setUp();
  answer.reject(new RtcRefusal('the offer cannot be met'));
  await expect.poll(() => answers).toEqual([null]);
  opened.events?.closed();
  expect([answers, failures]).toEqual([[null], []]);
});

test('[LV-04] where nothing comes this way any more, the page is told to continue through its socket', () => {
  const { clock, answers, heard, opened, direct } = setUp();
  opened.events?.audio(Buffer.alloc(160));
  clock.advance(500);
  opened.events?.audio(Buffer.alloc(160));
  clock.advance(500);
  expect(answers).toEqual([]);
  clock.advance(200);
  expect([answers, direct.isCarrying, opened.closed]).toEqual([[null], false, 1]);
  opened.events?.audio(Buffer.alloc(160));
  expect(heard).toEqual([160, 160]);
});

test('says nothing of its end after it was closed', async () => {
  const { answer, answers, opened, direct } = setUp();
  direct.close();
  answer.resolve('v=0 late');
  opened.events?.closed();
  await answer.promise;
  expect([answers, opened.closed]).toEqual([[], 1]);
});
