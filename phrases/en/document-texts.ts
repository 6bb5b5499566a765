// The form of a built-in document: headed paragraphs, where {product} stands for the brand or for its plain name.
export interface DocumentText {
  readonly title: string;
  readonly parts: readonly { readonly heading: string; readonly text: string }[];
}

export interface DocumentTexts {
  /** What the variant without a brand calls the product. */
  readonly plainName: string;
  readonly privacy: DocumentText;
  readonly agreement: DocumentText;
}
