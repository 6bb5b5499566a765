// Tests of reading CSV files with devices.
import { expect, test } from 'vitest';
import { ImportFileError, readImportRows } from './import-rows.ts';

const HEADER = 'serial,name,type,address,port,user,password,path,organization';
const one = (row: string) => readImportRows(`${HEADER}\n${row}`)[0];

test.each([
  ['A1,Gate,camera,192.0.2.1,,admin,pw,,Campus/Entrance', '192.0.2.1'],
  ['A1,Gate,0,192.0.2.1,8080,admin,pw,,', '192.0.2.1:8080'],
  ['A1,Gate,,192.0.2.1,554,admin,pw,/live/1,', 'rtsp://192.0.2.1:554/live/1'],
  ['A1,Gate,NVR,camera.example,,admin,pw,live?x=1,', 'rtsp://camera.example/live?x=1'],
  ['A1,Gate,,rtsp://192.0.2.1/x,,,,,', 'rtsp://192.0.2.1/x'],
  ['A1,Gate,,http://192.0.2.1:81/onvif/device_service,,,,,', 'http://192.0.2.1:81/onvif/device_service'],
])('%s leads to %s', (row, target) => {
  expect(one(row)).toMatchObject({ line: 2, serial: 'A1', name: 'Gate', target, problems: {} });
});

test('takes the other cells as they are, and leaves missing ones to the device', () => {
  expect(one(`,,recorder,192.0.2.7,,"ad,min"," p""w ",,Campus / Gate `)).toEqual({
    line: 2,
    serial: '',
    name: '192.0.2.7',
    type: 1,
    target: '192.0.2.7',
    user: 'ad,min',
    password: ' p"w ',
    organization: ['Campus', 'Gate'],
    problems: {},
  });
  expect(readImportRows('Address;Name\n192.0.2.1;Gate')[0]).toMatchObject({ name: 'Gate', target: '192.0.2.1' });
});

test.each([
  ['A-1,Gate,,192.0.2.1,,,,,', { serial: 'format' }],
  ['A123456789012345678901,Gate,,192.0.2.1,,,,,', { serial: 'format' }],
  ['A1,<b>,,192.0.2.1,,,,,', { name: 'deviceName' }],
  [`A1,${'n'.repeat(65)},,192.0.2.1,,,,,`, { name: 'deviceName' }],
  ['A1,Gate,toaster,192.0.2.1,,,,,', { type: 'unknown' }],
  ['A1,Gate,99,192.0.2.1,,,,,', { type: 'unknown' }],
  ['A1,Gate,,,,,,,', { address: 'required' }],
  ['A1,Gate,,gopher://x,,,,,', { address: 'format' }],
  ['A1,Gate,,192.0.2.1 x,,,,,', { address: 'format' }],
  ['A1,Gate,,http://,,,,,', { address: 'format' }],
  ['A1,Gate,,192.0.2.1,0,,,,', { port: 'format' }],
  ['A1,Gate,,192.0.2.1,65536,,,,', { port: 'format' }],
  ['A1,Gate,,192.0.2.1,http,,,,', { port: 'format' }],
  ['A1,Gate,,192.0.2.1,,,,/a b,', { path: 'format' }],
  [`A1,Gate,,192.0.2.1,,${'u'.repeat(65)},,,`, { user: 'tooLong' }],
  [`A1,Gate,,192.0.2.1,,,${'p'.repeat(129)},,`, { password: 'tooLong' }],
])('[VA-04] [VA-06] %s gets its problem', (row, problems) => expect(one(row)?.problems).toEqual(problems));

test('reports a duplicate at its second row', () => {
  const rows = readImportRows(
    `${HEADER}\nA1,G,,192.0.2.1,,,,,\nA1,H,,192.0.2.2,,,,,\nA3,I,,192.0.2.1,,,,,\n,J,,192.0.2.4,,,,,`,
  );
  expect(rows.map(({ problems }) => problems)).toEqual([{}, { serial: 'duplicate' }, { address: 'duplicate' }, {}]);
});

test.each([
  ['', 'empty', 1],
  [HEADER, 'empty', 1],
  ['name,address\nGate,"192', 'quote', 2],
  ['name,serial\nGate,A1', 'noAddressColumn', 1],
  ['address,colour\nx,red', 'unknownColumn', 1],
  ['address,address\nx,y', 'repeatedColumn', 1],
  [`address\n${'192.0.2.1\n'.repeat(2001)}`, 'tooManyRows', 2002],
])('refuses a file as a whole: %#', (text, problem, line) => {
  try {
    readImportRows(text);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ImportFileError);
    expect(error).toMatchObject({ problem, line });
  }
});
