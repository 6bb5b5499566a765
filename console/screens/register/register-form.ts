// The registration form's values; they live in the page alone.
export interface RegisterForm {
  readonly target: string;
  readonly verifyCode: string;
  readonly username: string;
  readonly password: string;
  readonly confirmation: string;
  readonly hasAgreed: boolean;
}

export const BLANK_FORM: RegisterForm = {
  target: '',
  verifyCode: '',
  username: '',
  password: '',
  confirmation: '',
  hasAgreed: false,
};
