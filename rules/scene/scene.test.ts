// Each rule of edge intelligence on made scenes: what raises it, what ends it, and what it is silent about.
import { describe, expect, it } from 'vitest';
import { detectionsAt, framesOf, oneAfterAnother, stand, walk, type MadeObject } from './made-scene.fake.ts';
import { MIDDLE, order, region, runScene, SQUARE, written } from './made-order.fake.ts';
import { Scene } from './scene.ts';

const leftToRight = { path: walk([0.1, 0.7], [0.9, 0.7], [0, 8]) };
const rightToLeft = { path: walk([0.9, 0.7], [0.1, 0.7], [0, 8]) };
const zone = region('zone', SQUARE);
const line = region('line', MIDDLE);
/** Comes to the middle of the square, stands there and goes on. */
const visitor = (from: number, to: number): MadeObject => ({
  path: oneAfterAnother(
    walk([0.1, 0.7], [0.5, 0.7], [0, from]),
    stand([0.5, 0.7], [from, to]),
    walk([0.5, 0.7], [0.9, 0.7], [to, to + 4]),
  ),
});
const bag = (from: number, to = Number.POSITIVE_INFINITY): MadeObject => ({
  path: stand([0.5, 0.75], [from, to]),
  objectClass: 'bag',
  height: 0.06,
  width: 0.03,
});

describe('line crossing', () => {
  it('is told once, with the object and its direction: right of the line is in', () => {
    const [event, ...more] = runScene([order('lineCrossing', [line])], framesOf([rightToLeft], 8, 5));
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: 'LineDetectorCrossed',
      phase: 'pulse',
      direction: 'in',
      regionId: 'r1',
      count: null,
    });
    expect(event?.track).toMatchObject({ trackId: 1, objectClass: 'person', score: 0.8 });
    expect(runScene([order('lineCrossing', [line])], framesOf([leftToRight], 8, 5))).toMatchObject([
      { direction: 'out' },
    ]);
  });

  it('is told in the wanted direction only, and not beyond the ends of the line', () => {
    const inwards = order('lineCrossing', [region('line', MIDDLE, { direction: 'in' })]);
    expect(
      runScene([inwards], framesOf([leftToRight, { path: walk([0.9, 0.3], [0.1, 0.3], [0, 8]) }], 8, 5)),
    ).toHaveLength(1);
    const short = order('lineCrossing', [
      region('line', [
        [0.5, 0.1],
        [0.5, 0.5],
      ]),
    ]);
    expect(runScene([short], framesOf([leftToRight], 8, 5))).toEqual([]);
  });

  it('is not told of who is seen first on the line, or beyond it', () => {
    for (const from of [0.495, 0.53]) {
      const emerging = { path: walk([from, 0.7], [0.9, 0.7], [0, 5]) };
      for (const rate of [1, 5]) {
        expect(runScene([order('lineCrossing', [line])], framesOf([emerging], 6, rate))).toEqual([]);
      }
    }
  });

  it('and an entrance are told of who is seen first shortly before', () => {
    for (let from = 0.45; from < 0.486; from += 0.002) {
      const near = { path: walk([from, 0.7], [from + 0.3, 0.7], [0, 3]) };
      const right = region('zone', [
        [0.5, 0.4],
        [0.9, 0.4],
        [0.9, 0.9],
        [0.5, 0.9],
      ]);
      const tasks = [order('lineCrossing', [line]), order('entrance', [right])];
      for (const rate of [2, 5, 10]) {
        const events = runScene(tasks, framesOf([near], 3, rate));
        expect(events.map(({ type }) => type).toSorted()).toEqual(['LineDetectorCrossed', 'RegionEntrance']);
      }
    }
  });

  it('and an exit are not told of a parked car whose lower half is hidden for a while', () => {
    const across = region('line', [
      [0.1, 0.66],
      [0.9, 0.66],
    ]);
    const below = region('zone', [
      [0.1, 0.66],
      [0.9, 0.66],
      [0.9, 0.9],
      [0.1, 0.9],
    ]);
    const car = { path: stand([0.5, 0.7], [0, 6]), objectClass: 'vehicle', width: 0.2, height: 0.2 } as const;
    const halfHidden = { ...car, path: stand([0.5, 0.62], [6, 20]), height: 0.12 };
    const tasks = [
      order('lineCrossing', [across], { classes: ['vehicle'] }),
      order('exit', [below], { classes: ['vehicle'] }),
    ];
    expect(runScene(tasks, framesOf([car, halfHidden], 20, 2))).toEqual([]);
  });

  it('is counted in and out since the task began, whatever the clock does', () => {
    const scene = new Scene([order('counting', [line])]);
    const frames = [
      ...framesOf([leftToRight, { path: walk([0.9, 0.35], [0.1, 0.35], [2, 10]) }], 10, 2),
      ...framesOf([leftToRight], 8, 2, 500_000),
    ];
    const events = frames.flatMap((frame) => scene.step(frame));
    expect(events.map(({ type, direction, count }) => [type, direction, count])).toEqual([
      ['PeopleCount', 'out', { in: 0, out: 1 }],
      ['PeopleCount', 'in', { in: 1, out: 1 }],
      ['PeopleCount', 'out', { in: 1, out: 2 }],
    ]);
  });
});

describe('what a task asks for', () => {
  it.each([
    ['another class', { classes: ['vehicle'] as const }],
    ['a higher score: threshold 90 is 0.85', { threshold: 90 }],
    ['a taller object', { minHeight: 0.3 }],
    ['a smaller object', { maxHeight: 0.1 }],
    ['no place under a mask', { regions: [line, region('mask', SQUARE, { regionId: 'r2' })] }],
  ])('%s: nothing is told', (_name, over) => {
    expect(runScene([order('lineCrossing', [line])], framesOf([leftToRight], 8, 5))).toHaveLength(1);
    expect(runScene([order('lineCrossing', [line], over)], framesOf([leftToRight], 8, 5))).toEqual([]);
  });

  it('threshold 80 is a median score of 0.8', () => {
    expect(runScene([order('lineCrossing', [line], { threshold: 79 })], framesOf([leftToRight], 8, 5))).toHaveLength(1);
    expect(runScene([order('lineCrossing', [line], { threshold: 81 })], framesOf([leftToRight], 8, 5))).toEqual([]);
  });

  it('regions that are none do nothing', () => {
    const wrong = [
      region('zone', SQUARE.slice(0, 2)),
      region('line', [
        [0.5, 0.5],
        [0.5, 0.5],
      ]),
      region('line', [
        [0.5, Number.NaN],
        [0.5, 0.5],
      ]),
      region('line', SQUARE),
      region('zone', [
        [0.1, 0.5],
        [0.5, 0.5],
        [0.9, 0.5],
      ]),
      region('zone', []),
    ];
    for (const algorithm of ['lineCrossing', 'intrusion', 'crowdDensity'] as const) {
      expect(runScene([order(algorithm, wrong)], framesOf([leftToRight], 8, 5))).toEqual([]);
    }
  });
});

describe('intrusion', () => {
  it('lasts from the first object in the zone until two seconds after the last', () => {
    const second = { path: walk([0.9, 0.8], [0.1, 0.8], [4, 12]) };
    const events = runScene([order('intrusion', [zone])], framesOf([leftToRight, second], 16, 5));
    expect(written(events)).toEqual(['start IntrusionAlarm 2.2', 'end IntrusionAlarm 12']);
    expect(events[0]?.key).toBe(events[1]?.key);
  });

  it('ends where the object vanishes in the zone, and lasts while it stands there', () => {
    const vanishing = { path: walk([0.1, 0.7], [0.5, 0.7], [0, 4]) };
    expect(written(runScene([order('intrusion', [zone])], framesOf([vanishing], 10, 5)))).toEqual([
      'start IntrusionAlarm 2.2',
      'end IntrusionAlarm 6',
    ]);
    expect(written(runScene([order('intrusion', [zone])], framesOf([visitor(4, 90)], 90, 2)))).toEqual([
      'start IntrusionAlarm 2.5',
    ]);
  });

  it('is silent about a parked car until it drives', () => {
    const car = (path: MadeObject['path']): MadeObject => ({ path, objectClass: 'vehicle', width: 0.2, height: 0.15 });
    const task = order('intrusion', [zone], { classes: ['vehicle'] });
    expect(runScene([task], framesOf([car(stand([0.5, 0.7]))], 60, 2))).toEqual([]);
    const drives = oneAfterAnother(stand([0.5, 0.7], [0, 30]), walk([0.5, 0.7], [1, 0.7], [30, 34]));
    expect(written(runScene([task], framesOf([car(drives)], 40, 2)))).toEqual([
      'start IntrusionAlarm 31',
      'end IntrusionAlarm 33.5',
    ]);
  });

  it('knows feet that the lower border cuts off in a zone that reaches it', () => {
    const low = region('zone', [
      [0.3, 0.6],
      [0.7, 0.6],
      [0.7, 0.99],
      [0.3, 0.99],
    ]);
    const near = { path: walk([0.1, 1.1], [0.9, 1.1], [0, 8]), height: 0.5, width: 0.12 };
    expect(written(runScene([order('intrusion', [low])], framesOf([near], 12, 5)))).toHaveLength(2);
  });
});

describe('entrance and exit', () => {
  it('are told of who was seen on the other side before', () => {
    const tasks = [order('entrance', [zone]), order('exit', [zone])];
    expect(written(runScene(tasks, framesOf([leftToRight], 10, 5)))).toEqual([
      'pulse RegionEntrance 2.2',
      'pulse RegionExiting 6.2',
    ]);
    const starts = { path: walk([0.45, 0.7], [0.9, 0.7], [0, 5]) };
    expect(written(runScene(tasks, framesOf([starts], 10, 5)))).toEqual(['pulse RegionExiting 3']);
  });
});

describe('loitering', () => {
  it('begins after the time in the zone and ends once the object has left', () => {
    const events = runScene([order('loitering', [zone])], framesOf([visitor(4, 20)], 30, 5));
    expect(written(events)).toEqual(['start LoiteringAlarm 12.2', 'end LoiteringAlarm 24']);
    expect(runScene([order('loitering', [zone])], framesOf([visitor(4, 6)], 20, 5))).toEqual([]);
  });

  it('is one alarm for each object', () => {
    const other = { path: oneAfterAnother(walk([0.9, 0.5], [0.6, 0.5], [0, 3]), stand([0.6, 0.5])) };
    const events = runScene([order('loitering', [zone])], framesOf([visitor(4, 60), other], 40, 5));
    expect(new Set(events.map(({ key }) => key)).size).toBe(2);
    expect(events.map(({ phase }) => phase)).toEqual(['start', 'start']);
  });
});

describe('crowd density', () => {
  const crowd = (sizes: readonly number[], eachS: number) =>
    Array.from(
      { length: Math.max(...sizes) },
      (_none, at): MadeObject => ({
        path: (seconds) => {
          const size = sizes[Math.min(sizes.length - 1, Math.floor(seconds / eachS))] ?? 0;
          return at < size ? { x: 0.35 + (at % 6) * 0.06, y: 0.5 + Math.floor(at / 6) * 0.25 } : null;
        },
        width: 0.03,
      }),
    );

  it('rises with the median of five frames, and falls five seconds after it', () => {
    const events = runScene([order('crowdDensity', [zone])], framesOf(crowd([2, 7, 12, 4, 0], 20), 100, 2));
    expect(written(events)).toEqual([
      'start CrowdDensityMiddle 21.5',
      'end CrowdDensityMiddle 41.5',
      'start CrowdDensityHigh 41.5',
      'end CrowdDensityHigh 66',
      'start CrowdDensityLow 66',
      'end CrowdDensityLow 86',
    ]);
  });

  it('is judged anew by five frames after the clock jumped', () => {
    const scene = new Scene([order('crowdDensity', [zone])]);
    const frames = [...framesOf(crowd([4], 60), 10, 2), ...framesOf(crowd([4], 60), 10, 2, 5_000_000)];
    const events = frames.flatMap((frame) => scene.step(frame));
    expect(written(events.slice(0, 2))).toEqual(['start CrowdDensityLow 2', 'end CrowdDensityLow 10']);
    expect(written(events.slice(2), 5_000_000)).toEqual(['start CrowdDensityLow 2']);
  });

  it('does not flicker where a person is missed in every third frame', () => {
    const frames = framesOf(crowd([3], 60), 60, 2).map((frame, at) =>
      at % 3 === 0 ? { ...frame, detections: frame.detections.slice(1) } : frame,
    );
    expect(written(runScene([order('crowdDensity', [zone])], frames))).toEqual(['start CrowdDensityLow 2.5']);
  });
});

describe('an object left', () => {
  const task = order('objectLeft', [zone], { classes: ['bag'] });

  it('is told once nobody is at it, and ends when it is taken', () => {
    const events = runScene([task], framesOf([visitor(14, 30), bag(16, 60)], 70, 2));
    expect(written(events)).toEqual(['start ObjectLeft 33.5', 'end ObjectLeft 65.5']);
    expect(events[0]?.track).toMatchObject({ objectClass: 'bag' });
  });

  it('is not what stood there from the start, nor a bag whose owner stays, nor a person', () => {
    expect(runScene([task], framesOf([bag(0)], 60, 2))).toEqual([]);
    expect(runScene([task], framesOf([visitor(14, 80), bag(16)], 70, 2))).toEqual([]);
    expect(runScene([{ ...task, classes: ['bag', 'person'] }], framesOf([visitor(14, 80)], 70, 2))).toEqual([]);
  });
});

describe('an object removed', () => {
  const task = order('objectRemoved', [zone], { classes: ['bag'] });

  it('is told a few seconds after it is gone, of what stood long enough', () => {
    expect(written(runScene([task], framesOf([bag(0, 20)], 40, 2)))).toEqual(['pulse ObjectRemoved 25.5']);
    expect(runScene([task], framesOf([bag(0, 8)], 40, 2))).toEqual([]);
  });

  it('is not one that somebody hides for a while', () => {
    const hidden: MadeObject = {
      ...bag(0),
      path: oneAfterAnother(stand([0.5, 0.75], [0, 20]), stand([0.5, 0.75], [40, 80])),
    };
    const hider: MadeObject = { path: stand([0.5, 0.78], [19, 40.5]), width: 0.1, height: 0.3 };
    expect(runScene([{ ...task, classes: ['bag', 'person'] }], framesOf([hidden, hider], 60, 2))).toEqual([]);
  });

  it('is not told where the clock jumped', () => {
    const scene = new Scene([task]);
    const frames = [...framesOf([bag(0)], 20, 2), ...framesOf([], 20, 2, 9_000_000)];
    expect(frames.flatMap((frame) => scene.step(frame))).toEqual([]);
  });
});

describe('the scene', () => {
  it('is busy while something moves or an alarm may end, and not for what stands still', () => {
    const scene = new Scene([order('intrusion', [zone])]);
    expect(scene.isBusy).toBe(false);
    const busy = framesOf([visitor(4, 60)], 70, 2).map((frame) => {
      scene.step(frame);
      return scene.isBusy;
    });
    expect([busy[2], busy[8], busy[40], busy[122], busy[128], busy[140]]).toEqual([
      true,
      true,
      false,
      true,
      true,
      false,
    ]);
  });

  it.each([
    'intrusion',
    'loitering',
    'crowdDensity',
    'objectLeft',
    'objectRemoved',
  ] as const)('does not wait for what %s knew before the clock jumped backwards', (algorithm) => {
    const scene = new Scene([order(algorithm, [zone], { classes: ['person', 'bag'], densityLevels: [1, 2, 3] })]);
    for (const frame of framesOf([visitor(4, 60), bag(12)], 40, 2)) scene.step(frame);
    for (const frame of framesOf([], 8, 2, 5000)) scene.step(frame);
    expect(scene.isBusy).toBe(false);
  });

  it('gives confirmed objects of its classes in the newest frame', () => {
    const scene = new Scene([order('intrusion', [zone])]);
    const frames = framesOf([leftToRight, bag(0)], 4, 5);
    for (const frame of frames) scene.step(frame);
    expect(scene.tracks).toMatchObject([{ trackId: 1, objectClass: 'person', isConfirmed: true }]);
    scene.step({ atMs: 1_004_200, detections: [] });
    expect(scene.tracks).toEqual([]);
  });

  it('ends what is open at its end, and at the last frame before the clock jumps', () => {
    const task = order('intrusion', [zone]);
    const frames = framesOf([visitor(4, 60)], 20, 2);
    const scene = new Scene([task]);
    for (const frame of frames) scene.step(frame);
    expect(written(scene.end(1_030_000))).toEqual(['end IntrusionAlarm 30']);
    expect(scene.end(1_031_000)).toEqual([]);
    const jumping = new Scene([task]);
    for (const frame of frames) jumping.step(frame);
    const jumped = jumping.step({ atMs: 5000, detections: detectionsAt([visitor(4, 60)], 20) });
    expect(written(jumped)).toEqual(['end IntrusionAlarm 20']);
  });
});
