// What the server asks a site for as one picture: of now, or of an instant that was recorded.

export interface SitePicture {
  readonly contentType: string;
  /** Base64. */
  readonly data: string;
  /** Wall clock of the picture. */
  readonly at: number;
}

export interface PictureCalls {
  /** `at` null: of now. Null where no way gives a picture. */
  picture: {
    input: { deviceSerial: string; channelNo: number; at: number | null; width: number };
    output: { picture: SitePicture | null };
  };
}
