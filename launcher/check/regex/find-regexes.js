// Finds the regular expressions of a source file: literals, and those built from constant text.
import ts from 'typescript';

/** @typedef {{ line: number, source: string | null, flags: string }} FoundRegex `source` is null where its text can't be told from the file */

/**
 * @param {string} name
 * @param {string} text
 * @returns {FoundRegex[]}
 */
export function regexesIn(name, text) {
  const file = ts.createSourceFile(
    name,
    text,
    ts.ScriptTarget.Latest,
    false,
    name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  /** @type {FoundRegex[]} */
  const found = [];
  /** @type {Map<string, ts.Expression>} names that stand for one text in the whole file */
  const constants = new Map();
  const add = (/** @type {ts.Node} */ node, /** @type {string | null} */ source, /** @type {string} */ flags) =>
    found.push({ line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1, source, flags });
  /** @type {ts.Node[]} */
  const made = [];
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [source, flags] = partsOf(node.text);
      add(node, source, flags);
    }
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer && isConstant(node))
      constants.set(node.name.text, node.initializer);
    if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      ts.isIdentifier(node.expression) &&
      node.expression.text === 'RegExp'
    )
      made.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const node of made) {
    if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) continue;
    const [source, flags] = (node.arguments ?? []).map((one) => textOf(one, constants));
    add(node, source ?? null, flags ?? '');
  }
  return found;
}

/** @param {ts.VariableDeclaration} declaration */
function isConstant({ parent }) {
  return parent === undefined || (ts.isVariableDeclarationList(parent) && (parent.flags & ts.NodeFlags.Const) !== 0);
}

/**
 * @param {string} literal
 * @returns {[source: string, flags: string]}
 */
function partsOf(literal) {
  const end = literal.lastIndexOf('/');
  return [literal.slice(1, end), literal.slice(end + 1)];
}

/**
 * @param {ts.Expression} node
 * @param {Map<string, ts.Expression>} constants
 * @returns {string | null}
 */
function textOf(node, constants) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isRegularExpressionLiteral(node)) return partsOf(node.text)[0];
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return textOf(node.expression, constants);
  if (ts.isIdentifier(node)) {
    const value = constants.get(node.text);
    return value === undefined ? null : textOf(value, constants);
  }
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source') return textOf(node.expression, constants);
  return composedText(node, constants);
}

/**
 * Of a template or a sum.
 * @param {ts.Expression} node
 * @param {Map<string, ts.Expression>} constants
 * @returns {string | null}
 */
function composedText(node, constants) {
  if (ts.isTaggedTemplateExpression(node) && ts.isPropertyAccessExpression(node.tag) && node.tag.name.text === 'raw')
    return rawTemplate(node.template, constants);
  if (ts.isTemplateExpression(node))
    return joined(
      node.head.text,
      node.templateSpans.map((span) => [span.expression, span.literal.text]),
      constants,
    );
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return joined(
      '',
      [
        [node.left, ''],
        [node.right, ''],
      ],
      constants,
    );
  return null;
}

/**
 * @param {ts.TemplateLiteral} template
 * @param {Map<string, ts.Expression>} constants
 */
function rawTemplate(template, constants) {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.rawText ?? template.text;
  return joined(
    template.head.rawText ?? '',
    template.templateSpans.map((span) => [span.expression, span.literal.rawText ?? '']),
    constants,
  );
}

/**
 * @param {string} head
 * @param {(readonly [ts.Expression, string])[]} parts
 * @param {Map<string, ts.Expression>} constants
 */
function joined(head, parts, constants) {
  let text = head;
  for (const [expression, after] of parts) {
    const value = textOf(expression, constants);
    if (value === null) return null;
    text += value + after;
  }
  return text;
}
