// Proves RTP and RTCP headers: what is written reads back, extensions and padding are left out, noise is refused.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRtpHeader, msToNtp, ntpToMs, readReplayExtension, readRtpHeader, writeRtpHeader } from './packet.ts';
import { hasBye, readSenderReport, writeReceiverReport, writeSenderReport } from './rtcp.ts';

test('a header reads back; contributors, extension and padding are not payload', () => {
  const packet = Buffer.alloc(12 + 4 + 4 + 12 + 5 + 3);
  const fields = { payloadType: 97, marker: true, sequence: 65_535, timestamp: 0xffffffff, ssrc: 0x89abcdef };
  writeRtpHeader(packet, 0, fields);
  packet[0] = 0x80 | 0x20 | 0x10 | 1;
  packet.writeUInt16BE(0xabac, 16);
  packet.writeUInt16BE(3, 18);
  const ntp = msToNtp(1_800_000_000_123);
  packet.writeUInt32BE(ntp.seconds, 20);
  packet.writeUInt32BE(ntp.fraction, 24);
  packet[28] = 0xe0;
  packet[packet.length - 1] = 3;
  const header = createRtpHeader();
  expect(readRtpHeader(packet, 0, packet.length, header)).toBe(true);
  expect(header).toMatchObject({ ...fields, payloadStart: 32, payloadEnd: 37 });
  const extension = readReplayExtension(packet, header);
  expect(extension).toMatchObject({ isKey: true, isSectionEnd: true, isDiscontinuity: true, isTerminal: false });
  expect(Math.round(extension?.wallMs ?? 0)).toBe(1_800_000_000_123);
});

test('wall clocks survive NTP to the millisecond', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_080_000_000_000 }), (ms) => {
      const ntp = msToNtp(ms);
      expect(Math.round(ntpToMs(ntp.seconds, ntp.fraction))).toBe(ms);
    }),
  );
});

test('reports read back', () => {
  const report = writeSenderReport({ ssrc: 5, wallMs: 1_800_000_000_500, rtpTime: 77, packets: 3, bytes: 9 });
  expect(readSenderReport(report, 0, report.length)).toMatchObject({ ssrc: 5, rtpTime: 77 });
  expect(Math.round(readSenderReport(report, 0, report.length)?.ntpMs ?? 0)).toBe(1_800_000_000_500);
  expect(hasBye(report, 0, report.length)).toBe(false);
  const bye = Buffer.concat([report, Buffer.of(0x81, 203, 0, 1, 0, 0, 0, 5)]);
  expect(hasBye(bye, 0, bye.length)).toBe(true);
  const answer = writeReceiverReport({
    ssrc: 1,
    about: 5,
    highestSequence: 9,
    lost: 2,
    fractionLost: 0,
    jitter: 0,
    ntpMiddle: 0,
    sinceSenderReportMs: 0,
  });
  expect(answer.length % 4).toBe(0);
  expect(answer.readUInt32BE(8)).toBe(5);
});

test('noise is refused or read within its bounds', () => {
  const header = createRtpHeader();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (noise) => {
      const bytes = Buffer.from(noise);
      if (readRtpHeader(bytes, 0, bytes.length, header)) {
        expect(header.payloadStart).toBeLessThanOrEqual(header.payloadEnd);
        expect(header.payloadEnd).toBeLessThanOrEqual(bytes.length);
        readReplayExtension(bytes, header);
      }
      readSenderReport(bytes, 0, bytes.length);
      hasBye(bytes, 0, bytes.length);
    }),
    { numRuns: 1000 },
  );
});
