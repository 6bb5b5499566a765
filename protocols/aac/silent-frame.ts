// An AAC-LC frame of silence in one channel (ISO/IEC 14496-3 4.4.2.1), which needs no encoder; usable in browsers.

/** single_channel_element 0 with gain 100, one long window and no bands, then ID_END: fits any sampling rate. */
export const SILENT_AAC_FRAME: Uint8Array = frameOf([
  // id_syn_ele SCE, element_instance_tag, global_gain.
  [0, 3],
  [0, 4],
  [100, 8],
  // ics_reserved_bit, window_sequence ONLY_LONG, window_shape KBD, max_sfb, predictor_data_present.
  [0, 1],
  [0, 2],
  [1, 1],
  [0, 6],
  [0, 1],
  // pulse_data_present, tns_data_present, gain_control_data_present.
  [0, 3],
  // id_syn_ele END.
  [7, 3],
]);

function frameOf(fields: readonly (readonly [value: number, bits: number])[]): Uint8Array {
  const bits = fields.map(([value, length]) => value.toString(2).padStart(length, '0')).join('');
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = Number.parseInt(bits.slice(at * 8, at * 8 + 8).padEnd(8, '0'), 2);
  }
  return bytes;
}
