// Calls of client versions: releases of the native clients that the installation offers, and what a client asks about them.
import { z } from 'zod';
import { call } from '../call.ts';
import { id, nameText, smallInt, timeMs } from '../entities.ts';
import { USER_TYPE } from '../enumerations.ts';
import { CLIENT_VERSION_LIMITS, PAGE_SIZE } from '../limits.ts';
import { pageSize, pageStart } from './user.ts';

/** `all`: a release for every client, and the only kind that a client is offered that names no platform. */
export const CLIENT_PLATFORMS = ['all', 'windows', 'macos', 'linux', 'android', 'ios'] as const;
export type ClientPlatform = (typeof CLIENT_PLATFORMS)[number];

/** Four numbers with dots, compared as numbers: 1.10.0.0 is newer than 1.9.0.0. */
export const CLIENT_VERSION_NUMBER = /^\d{1,9}(?:\.\d{1,9}){3}$/;
const versionNumber = z.string().regex(CLIENT_VERSION_NUMBER);
const orEmpty = (schema: z.ZodType<string>) => z.union([z.literal(''), schema]);
/** 32 bytes of an Ed25519 public key, and 64 of a signature (RFC 8032), in base64. */
export const PUBLIC_KEY = /^[A-Za-z0-9+/]{43}=$/;
export const SIGNATURE = /^[A-Za-z0-9+/]{86}==$/;
const content = z.string().max(CLIENT_VERSION_LIMITS.contentLength);
const platform = z.enum(CLIENT_PLATFORMS);

/** How a client proves that a package is its publisher's: the signature is over the ASCII text `sha256:<64 hex digits>`. */
export const PackageProof = z.object({
  /** 0: there is no package. */
  bytes: z.number().int(),
  sha256: z.string(),
  signature: z.string(),
  publicKey: z.string(),
});

export const VersionInfo = z.object({
  versionId: z.string(),
  platform,
  versionName: z.string(),
  /** The number of the release. */
  externalVersion: z.string(),
  /** Clients below it may not skip the upgrade; empty: none. */
  mustUpgradeVersion: z.string(),
  contentEn: z.string(),
  contentZh: z.string(),
  /** Where the client is sent when there is no package; empty: nowhere. */
  redirectUrl: z.string(),
  /** Path of the package on this server; empty while it is not whole. */
  path: z.string(),
  fileName: z.string(),
  ...PackageProof.shape,
  /** Of a package that is being uploaded; equal to `bytes` once it is whole. */
  receivedBytes: z.number().int(),
  /** Percent of the clients that are offered it. */
  rolloutPercent: z.number().int(),
  isPublished: z.boolean(),
  version: z.number().int(),
  createTime: timeMs,
  changeTime: timeMs,
});
export type VersionInfo = z.infer<typeof VersionInfo>;

const versionManagers = { kind: 'userType', userTypes: [USER_TYPE.super, USER_TYPE.background] } as const;

export const clientVersionCalls = {
  'version/check': call({
    summary: 'Which newer client is offered to one of `softVersion`; every text is empty where none is',
    permission: { kind: 'public' },
    audit: 'none',
    input: z
      .object({
        softVersion: versionNumber,
        platform: platform.default('all'),
        /** Random id that the client keeps: decides whether a staged release has reached it. Absent: only releases for everybody. */
        clientId: id.optional(),
      })
      .strict(),
    output: z.object({
      versionName: z.string(),
      mustUpgradeVersion: z.string(),
      contentEn: z.string(),
      contentZh: z.string(),
      externalVersion: z.string(),
      redirectUrl: z.string(),
      /** The client may not go on with its version. */
      mustUpgrade: z.boolean(),
      ...PackageProof.shape,
    }),
  }),
  'version/download': call({
    summary: 'Where the package of a version is downloaded, and how it is verified',
    permission: { kind: 'public' },
    audit: 'none',
    errors: [1007],
    input: z
      .object({ softVersion: versionNumber, externalVersion: versionNumber, platform: platform.default('all') })
      .strict(),
    output: z.object({
      /** On this server, answered in ranges too; or the `redirectUrl` where there is no package. */
      path: z.string(),
      fileName: z.string(),
      ...PackageProof.shape,
    }),
  }),
  'version/list': call({
    summary: 'Versions of the clients, the newest of each platform first',
    permission: versionManagers,
    audit: 'read',
    input: z
      .object({ platform: platform.optional(), pageStart, pageSize: pageSize(PAGE_SIZE.clientVersions) })
      .strict(),
    output: z.object({ total: z.number().int(), versionList: z.array(VersionInfo) }),
  }),
  'version/save': call({
    summary:
      'Add a version, or change the one that `versionId` and `version` name; a package is sent to version/upload',
    permission: versionManagers,
    audit: 'write',
    errors: [1007, 1010, 1011, 1016],
    input: z
      .object({
        versionId: id.optional(),
        version: smallInt.optional(),
        platform,
        versionName: nameText,
        externalVersion: versionNumber,
        mustUpgradeVersion: orEmpty(versionNumber).default(''),
        contentEn: content.default(''),
        contentZh: content.default(''),
        redirectUrl: orEmpty(z.url({ protocol: /^https$/ }).max(CLIENT_VERSION_LIMITS.urlLength)).default(''),
        rolloutPercent: z.number().int().min(0).max(100).default(100),
        isPublished: z.boolean().default(false),
      })
      .strict(),
    output: z.object({ versionInfo: VersionInfo }),
  }),
  'version/delete': call({
    summary: 'Delete a version and its package',
    permission: versionManagers,
    audit: 'write',
    errors: [1007, 1012],
    input: z.object({ versionId: id }).strict(),
    output: z.object({}),
  }),
} as const;

/** A whole package of any client is downloaded below it, without a session. */
export const VERSION_DOWNLOAD_PATH = '/download/version/';

/** Calls whose body is a part of a file as application/octet-stream; the input stands in the query. */
export const clientVersionUploads = {
  'version/upload': {
    input: z
      .object({
        versionId: id,
        /** Of the whole package. */
        size: z.coerce.number().int().min(1).max(CLIENT_VERSION_LIMITS.packageBytes),
        /** Of the part in the package; 0 begins anew. Another than what was received answers 1010 with `receivedBytes`. */
        offset: z.coerce.number().int().min(0),
        fileName: z.string().min(1).max(256),
        publicKey: z.string().regex(PUBLIC_KEY),
        signature: z.string().regex(SIGNATURE),
      })
      .strict(),
    output: z.object({ versionInfo: VersionInfo }),
  },
} as const;
