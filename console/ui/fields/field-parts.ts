// What every field has in common: the order of its parts, and their classes.
import style from './field.module.css';

export const FIELD_ORDER: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

export const FIELD_CLASSES = {
  root: style.root ?? '',
  label: style.label ?? '',
  description: style.hint ?? '',
  error: style.error ?? '',
  wrapper: style.wrapper ?? '',
  input: style.input ?? '',
};
