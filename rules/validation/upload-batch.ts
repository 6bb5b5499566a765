// Which of the chosen or dropped files are accepted for upload (VA-11).

export interface OfferedFile {
  readonly name: string;
  /** MIME type as the browser says it, often empty. */
  readonly type: string;
}

export interface UploadQuestion<F extends OfferedFile> {
  readonly files: readonly F[];
  readonly currentCount: number;
  /** Most files at once; null for no limit. */
  readonly limit: number | null;
  readonly isMultiple: boolean;
  /** The `accept` list of the field, for example `.csv,image/*`; empty takes all. */
  readonly accept: string;
  readonly isDropped: boolean;
}

/** `isExceeded`: the whole batch is refused and the exceed handler is to be called. */
export function chooseUploadBatch<F extends OfferedFile>(
  question: UploadQuestion<F>,
): { files: readonly F[]; isExceeded: boolean } {
  const matching = question.isDropped
    ? question.files.filter((file) => isAccepted(file, question.accept))
    : question.files;
  if (question.limit !== null && question.currentCount + matching.length > question.limit) {
    return { files: [], isExceeded: true };
  }
  return { files: question.isMultiple ? matching : matching.slice(0, 1), isExceeded: false };
}

export function isAccepted(file: OfferedFile, accept: string): boolean {
  const rules = accept
    .split(',')
    .map((rule) => rule.trim().toLowerCase())
    .filter((rule) => rule !== '');
  if (rules.length === 0) return true;
  const name = file.name.toLowerCase();
  const type = file.type.toLowerCase();
  return rules.some((rule) => {
    if (rule.startsWith('.')) return name.endsWith(rule);
    if (rule.endsWith('/*')) return type.startsWith(rule.slice(0, -1));
    return type === rule;
  });
}
