// Settings of a directory that signs people in by LDAP: where it is, how it is searched, and which attributes say what.
import { z } from 'zod';
import { DIRECTORY_GROUPS, DIRECTORY_SECURITIES } from '../enumerations.ts';
import { DIRECTORY_LIMITS } from '../limits.ts';

/** A name or an address, with a port where it is not the usual one; an IPv6 address in brackets. */
const host = z
  .string()
  .max(DIRECTORY_LIMITS.hostLength)
  .regex(/^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/);
/** Of RFC 4512, section 2.5, without options. */
const attribute = z
  .string()
  .max(DIRECTORY_LIMITS.attributeLength)
  .regex(/^[A-Za-z][A-Za-z0-9-]*$/);
const distinguishedName = z.string().max(DIRECTORY_LIMITS.nameLength);

export const DirectorySettings = z
  .object({
    /** Tried in this order. */
    hosts: z.array(host).min(1).max(DIRECTORY_LIMITS.hosts),
    security: z.enum(DIRECTORY_SECURITIES),
    /** Certificates in PEM, of which one has to have signed that of the directory, or be it; empty: what this machine trusts. */
    authority: z.string().max(DIRECTORY_LIMITS.authorityLength),
    searchBase: distinguishedName.min(1),
    /** Of RFC 4515; `{username}` stands for what was typed. */
    userFilter: z.string().min(1).max(DIRECTORY_LIMITS.filterLength),
    /** Tells users apart, also once they are renamed. */
    idAttribute: attribute,
    nameAttribute: attribute,
    /** Empty: none. */
    mailAttribute: attribute.or(z.literal('')),
    groupsBy: z.enum(DIRECTORY_GROUPS),
    /** Where groups are searched; without a meaning for `memberOf`. */
    groupBase: distinguishedName,
    /** Groups that a user is in through other groups count too; absent: they do not. Without a meaning for `memberUid`. */
    nestedGroups: z.boolean().optional(),
  })
  .strict();
export type DirectorySettings = z.infer<typeof DirectorySettings>;
