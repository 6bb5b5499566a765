// Types of the account tables: sessions, browsers, attempts, codes, two-factor, invitations; by hand after migrations/*.sql.
import type { ClockHours, DateOrder, HomePage } from '@vedette/contract/enumerations.ts';
import type { ColumnType, Generated, Selectable } from 'kysely';

/** As stored in `home_cameras`. */
export interface HomeCamera {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

export interface AccountTable {
  account_id: string;
  user_name: string;
  user_name_key: string;
  phone: string | null;
  email: string | null;
  password_hash: string;
  /** False: an identity provider is the only way in. */
  has_password: Generated<boolean>;
  user_type: number;
  owner_id: string | null;
  created_by: string | null;
  language: number | null;
  theme: string | null;
  menu_order: ColumnType<string[] | null, string | null, string | null>;
  home_layout: string | null;
  home_page: HomePage | null;
  home_cameras: ColumnType<HomeCamera[] | null, string | null, string | null>;
  date_order: DateOrder | null;
  clock_hours: ClockHours | null;
  avatar: Generated<string>;
  privacy_time: Generated<number>;
  is_enabled: Generated<boolean>;
  version: Generated<number>;
  member_version: Generated<number>;
  created_at: number;
  password_reset_at: Generated<number>;
  factor_reset_at: Generated<number>;
  video_closed_until: Generated<number>;
}

export interface SessionTable {
  session_id: string;
  account_id: string;
  token_hash: Buffer;
  browser_id: string;
  client_type: string;
  address: string;
  created_at: number;
  last_used_at: number;
  expires_at: number;
  end_code: number | null;
  agent: Generated<string>;
  proved_at: Generated<number>;
  /** The key that opened it; null: the password did. */
  sign_in_key_id: string | null;
}

export interface SignInKeyTable {
  /** Thumbprint of the public key (RFC 7638). */
  key_id: string;
  account_id: string;
  /** Coordinates on P-256, base64url. */
  x: string;
  y: string;
  /** Hash of the browser's id. */
  browser_id: string;
  agent: string;
  address: string;
  created_at: number;
  last_used_at: number;
  challenge_hash: Generated<Buffer | null>;
  ticket_hash: Generated<Buffer | null>;
  pending_until: Generated<number>;
}

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
  recovery_salt: Buffer | null;
  recovery_at: Generated<number>;
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

export interface AccountNoticeTable {
  notice_id: string;
  account_id: string;
  kind: 'passwordReset' | 'factorReset' | 'mailUnconfirmed';
  by_name: string;
  at: number;
  confirmed_at: number | null;
}

export interface PasswordResetTable {
  account_id: string;
  token_hash: Buffer;
  closes_video: boolean;
  by_name: string;
  expires_at: number;
}

interface SendBudgetTable {
  key: string;
  full_at: number;
}

export interface AccountSchema {
  account: AccountTable;
  session: SessionTable;
  sign_in_key: SignInKeyTable;
  account_notice: AccountNoticeTable;
  password_reset: PasswordResetTable;
  known_browser: KnownBrowserTable;
  attempt: AttemptTable;
  send_budget: SendBudgetTable;
  verify_code: VerifyCodeTable;
  second_factor: SecondFactorTable;
  recovery_code: RecoveryCodeTable;
  spent_proof: SpentProofTable;
  invitation: InvitationTable;
}

export type SignInKeyRow = Selectable<SignInKeyTable>;
export type SecondFactorRow = Selectable<SecondFactorTable>;
export type InvitationRow = Selectable<InvitationTable>;
