// What a search asks of the server: all classes where none is chosen, and nothing while the range is not whole.
import { OBJECT_CLASSES } from '@vedette/contract/enumerations.ts';
import { expect, it } from 'vitest';
import { type SightingFilter, sightingInput } from './sighting.query.ts';

const filter: SightingFilter = { classList: [], camera: '', startTime: 1000, endTime: 2000, zone: null };

it('asks for all classes and cameras where none is chosen', () => {
  const input = sightingInput(filter);
  expect(input).toMatchObject({ classList: OBJECT_CLASSES, startTime: 1000, endTime: 2000 });
  expect(input).not.toHaveProperty('devices');
});

it('names the classes and the camera that are chosen', () => {
  expect(sightingInput({ ...filter, classList: ['bag'], camera: 'SN1:2' })).toMatchObject({
    classList: ['bag'],
    devices: [{ deviceSerial: 'SN1', channelNo: 2 }],
  });
});

it('asks for an area of the picture of one camera', () => {
  const zone = [
    { x: 0, y: 0 },
    { x: 1, y: 0 },
    { x: 1, y: 1 },
  ];
  expect(sightingInput({ ...filter, camera: 'SN1:2', zone })).toMatchObject({ zone });
  expect(sightingInput({ ...filter, zone }), 'a picture that is not known').not.toHaveProperty('zone');
});

it.each([{ startTime: null }, { endTime: null }, { endTime: 1000 }])('asks nothing while the range is %j', (part) => {
  expect(sightingInput({ ...filter, ...part })).toBeNull();
});
