import * as z from 'zod/mini'
import { toJsonSchema } from '@balcao/contract/openapi'

/** Generates JSON bodies from the schema of a route: a sample of its shape and variants with one fault each. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** The part of JSON Schema that the contract uses. */
const shapeSchema = z.looseObject({
  type: z.optional(z.union([z.string(), z.array(z.string())])),
  format: z.optional(z.string()),
  const: z.optional(z.json()),
  enum: z.optional(z.array(z.json())),
  minimum: z.optional(z.number()),
  minLength: z.optional(z.number()),
  get properties() {
    return z.optional(z.record(z.string(), shapeSchema))
  },
  get items() {
    return z.optional(shapeSchema)
  },
  get anyOf() {
    return z.optional(z.array(shapeSchema))
  },
  get oneOf() {
    return z.optional(z.array(shapeSchema))
  },
  get allOf() {
    return z.optional(z.array(shapeSchema))
  },
})
export type Shape = z.infer<typeof shapeSchema>

export function shapeOf(schema: z.ZodMiniType): Shape {
  return shapeSchema.parse(toJsonSchema(schema, 'input'))
}

const TEXTS: Readonly<Record<string, string>> = {
  email: 'ana@loja.test',
  uuid: '01930000-0000-7000-8000-000000000001',
  'date-time': '2026-03-02T12:00:00.000Z',
  date: '2026-03-02',
  uri: 'https://loja.test/',
}

/** A value of the shape, with all optional fields. A rule beyond the shape, such as a pattern, may refuse it. */
export function sampleOf(shape: Shape): Json {
  const [first] = shape.anyOf ?? shape.oneOf ?? shape.allOf ?? []
  if (shape.const !== undefined) return shape.const
  if (shape.enum !== undefined) return shape.enum[0] ?? null
  if (first !== undefined) return sampleOf(first)
  switch (String([shape.type].flat()[0])) {
    case 'string':
      return TEXTS[shape.format ?? ''] ?? 'texto'.padEnd(shape.minLength ?? 0, 'o')
    case 'integer':
    case 'number':
      return Math.max(1, shape.minimum ?? 1)
    case 'boolean':
      return true
    case 'array':
      return shape.items === undefined ? [] : [sampleOf(shape.items)]
    case 'object':
      return Object.fromEntries(Object.entries(shape.properties ?? {}).map(([key, field]) => [key, sampleOf(field)]))
    default:
      return null
  }
}

export interface WrongBody {
  readonly what: string
  readonly body: Json
}

const WRONG_VALUES: readonly (readonly [string, Json])[] = [
  ['null', null],
  ['a number', 7.5],
  ['a negative number', -1],
  ['a huge number', 1e300],
  ['a boolean', false],
  ['a text', 'texto'],
  ['an empty text', ''],
  ['a text of NUL bytes', '\u0000\u0000'],
  ['a lone surrogate', '\ud800'],
  ['a list', [[]]],
  ['an object', { a: 1 }],
]
const TOO_LONG = 120_000

/** One body per field and fault, at any depth. Some are valid for a tolerant field: the caller's schema decides. */
export function wrongBodies(shape: Shape, sample: Json, path: readonly (string | number)[] = []): WrongBody[] {
  const name = path.join('.')
  const here = path.length === 0 ? [] : WRONG_VALUES.map(([what, value]) => ({ what: `${name}: ${what}`, body: value }))
  const long =
    path.length === 0
      ? []
      : typeof sample === 'string'
        ? [{ what: `${name} too long`, body: 'x'.repeat(TOO_LONG) }]
        : Array.isArray(sample)
          ? [{ what: `${name} too long`, body: Array.from({ length: TOO_LONG / 10 }, () => sample[0] ?? null) }]
          : []
  return [...here, ...long, ...inner(shape, sample, path)]
}

function inner(shape: Shape, sample: Json, path: readonly (string | number)[]): WrongBody[] {
  const branch = shape.anyOf?.[0] ?? shape.oneOf?.[0] ?? shape.allOf?.[0]
  if (branch !== undefined) return inner(branch, sample, path)
  if (Array.isArray(sample)) {
    const [first] = sample
    if (shape.items === undefined || first === undefined) return []
    return wrongBodies(shape.items, first, [...path, 0]).map(({ what, body }) => ({ what, body: [body] }))
  }
  if (typeof sample !== 'object' || sample === null) return []
  const fields = Object.entries(sample)
  return fields.flatMap(([key, value]) => {
    const field = shape.properties?.[key]
    if (field === undefined) return []
    const without = Object.fromEntries(fields.filter(([other]) => other !== key))
    return [
      { what: `${[...path, key].join('.')} missing`, body: without },
      ...wrongBodies(field, value, [...path, key]).map(({ what, body }) => ({
        what,
        body: { ...without, [key]: body },
      })),
    ]
  })
}
