// Generates the OpenAPI 3.1 description of all calls from the contract.
import type { Call } from '@vedette/contract/call.ts';
import { calls } from '@vedette/contract/calls/calls.ts';
import { ERROR_CODES, errorName } from '@vedette/contract/errors.ts';
import { exampleInput, exampleOf } from './example-value.ts';
import { type JsonSchema, schemaOf } from './json-schema.ts';

const COMMON_CODES = [200, 1000, 1001, 1002, 1003, 1004, 1005, 1012];
const PUBLIC_CODES = [200, 1000, 1003, 1005, 1012];

export function openApi(version: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vedette',
      version,
      description:
        'Every call is POST with a JSON body and answers HTTP 200 with {code, message, data}; code 200 is success. ' +
        'Times are milliseconds since 1970 UTC.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v1' }],
    components: {
      securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', description: 'accessToken of account/login' } },
    },
    'x-error-codes': ERROR_CODES,
    paths: Object.fromEntries(
      Object.entries(calls).map(([path, declaration]) => [`/${path}`, { post: operation(path, declaration) }]),
    ),
  };
}

function operation(path: string, declaration: Call): object {
  const isPublic = declaration.permission.kind === 'public';
  const [input, output] = [schemaOf(declaration.input, 'input'), schemaOf(declaration.output, 'output')];
  const codes = [...(isPublic ? PUBLIC_CODES : COMMON_CODES), ...(declaration.errors ?? [])];
  return {
    operationId: path.replaceAll('/', '.'),
    tags: [path.split('/')[0]],
    summary: declaration.summary,
    security: isPublic ? [] : [{ accessToken: [] }],
    'x-permission': declaration.permission,
    'x-audit': declaration.audit,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: input, example: exampleInput(declaration.input) } },
    },
    responses: {
      200: {
        description: `Codes: ${[...new Set(codes)].map((code) => `${code} ${errorName(code)}`).join(', ')}`,
        content: { 'application/json': { schema: envelopeOf(output, codes), example: answerOf(output) } },
      },
    },
  };
}

function answerOf(output: JsonSchema): object {
  return { code: 200, message: 'success', data: exampleOf(output, true) };
}

function envelopeOf(data: JsonSchema, codes: readonly number[]): object {
  return {
    type: 'object',
    required: ['code', 'message', 'data'],
    properties: {
      code: { type: 'integer', examples: [...new Set(codes)] },
      message: { type: 'string' },
      data: { description: 'As below when code is 200; else null or what explains the code.', ...data },
    },
  };
}
