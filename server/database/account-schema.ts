// Types of the tables around accounts: browsers, tries, codes, second factors, invitations; by hand after migrations/*.sql.
import type { Generated, Selectable } from 'kysely';

export interface KnownBrowserTable {
  account_id: string;
  /** Hash of the browser's id. */
  browser_id: string;
  last_used_at: number;
  agent: Generated<string>;
  trusted_at: number | null;
}

export interface AttemptTable {
  attempt_id: string;
  key: string;
  at: number;
}

export interface VerifyCodeTable {
  purpose: string;
  target: string;
  account_id: Generated<string>;
  code_hash: Buffer;
  tries: Generated<number>;
  expires_at: number;
}

export interface SecondFactorTable {
  account_id: string;
  method: 'totp' | 'message';
  secret: Buffer;
  is_enabled: Generated<boolean>;
  last_step: Generated<number>;
}

export interface RecoveryCodeTable {
  account_id: string;
  code_hash: Buffer;
}

export interface SpentProofTable {
  proof_hash: Buffer;
  expires_at: number;
}

export interface InvitationTable {
  invitation_id: string;
  token_hash: Buffer;
  created_by: string;
  user_type: number;
  description: string;
  created_at: number;
  expires_at: number;
}

export interface AccountSchema {
  known_browser: KnownBrowserTable;
  attempt: AttemptTable;
  verify_code: VerifyCodeTable;
  second_factor: SecondFactorTable;
  recovery_code: RecoveryCodeTable;
  spent_proof: SpentProofTable;
  invitation: InvitationTable;
}

export type SecondFactorRow = Selectable<SecondFactorTable>;
export type InvitationRow = Selectable<InvitationTable>;
