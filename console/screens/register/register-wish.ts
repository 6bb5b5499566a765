// The registration form's values; they live in the page alone.
export interface RegisterWish {
  readonly target: string;
  readonly verifyCode: string;
  readonly username: string;
  readonly password: string;
  readonly confirmation: string;
  readonly hasAgreed: boolean;
}

export const BLANK_WISH: RegisterWish = {
  target: '',
  verifyCode: '',
  username: '',
  password: '',
  confirmation: '',
  hasAgreed: false,
};
