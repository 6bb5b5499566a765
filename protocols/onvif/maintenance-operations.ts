// Operations on a device's storages and its firmware (ONVIF Core 8.3.9 and 8.10).
import { operation } from './operation.ts';
import { attribute, many, one, optional, optionalAttribute, struct, text, token } from './schema.ts';

/** Where the device may put recordings: the card in it, or a share of the network. How full it is nobody tells. */
export const getStorageConfigurations = operation({
  service: 'device',
  name: 'GetStorageConfigurations',
  kind: 'read',
  request: {},
  response: {
    StorageConfigurations: many(
      struct('tds', {
        token: attribute(token),
        Data: one(
          struct('tds', { type: optionalAttribute(token), LocalPath: optional(text), StorageUri: optional(token) }),
        ),
      }),
    ),
  },
});

/** The file goes by POST to `UploadUri`, not before `UploadDelay`; then the device is away for `ExpectedDownTime`. */
export const startFirmwareUpgrade = operation({
  service: 'device',
  name: 'StartFirmwareUpgrade',
  kind: 'write',
  request: {},
  response: { UploadUri: one(token), UploadDelay: optional(token), ExpectedDownTime: optional(token) },
});

/** The file goes within the call, as a part of an MTOM package that `href` names (`cid:…`). */
export const upgradeSystemFirmware = operation({
  service: 'device',
  name: 'UpgradeSystemFirmware',
  kind: 'write',
  request: { Firmware: one(struct('tt', { Include: one(struct('xop', { href: attribute(token) }), 'xop') })) },
  response: { Message: optional(text) },
});
