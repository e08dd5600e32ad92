import * as z from 'zod/mini'

/** Meta's rules for buttons and lists. It refuses others with 131009. */

const text = (max: number) => z.string().check(z.minLength(1), z.maxLength(max))
const id = (max: number) => text(max).check(z.regex(/^\S(.*\S)?$/s))
const body = z.strictObject({ text: text(1_024) })

function areUnique(values: readonly string[]): boolean {
  return new Set(values).size === values.length
}

const buttonsSchema = z.strictObject({
  type: z.literal('button'),
  body,
  action: z.strictObject({
    buttons: z
      .array(z.strictObject({ type: z.literal('reply'), reply: z.strictObject({ id: id(256), title: text(20) }) }))
      .check(
        z.minLength(1),
        z.maxLength(3),
        z.refine((buttons) => areUnique(buttons.map(({ reply }) => reply.title))),
        z.refine((buttons) => areUnique(buttons.map(({ reply }) => reply.id))),
      ),
  }),
})

const rowSchema = z.strictObject({ id: id(200), title: text(24), description: z.optional(text(72)) })
const listSchema = z.strictObject({
  type: z.literal('list'),
  body,
  action: z.strictObject({
    button: text(20),
    sections: z.tuple([
      z.strictObject({
        rows: z.array(rowSchema).check(
          z.minLength(1),
          z.maxLength(10),
          z.refine((rows) => areUnique(rows.map((row) => row.id))),
        ),
      }),
    ]),
  }),
})

export const interactiveSchema = z.discriminatedUnion('type', [buttonsSchema, listSchema])
type Interactive = z.output<typeof interactiveSchema>

/** The buttons or rows, in order. */
export function choicesOf(interactive: Interactive): { readonly id: string; readonly title: string }[] {
  return interactive.type === 'button'
    ? interactive.action.buttons.map(({ reply }) => reply)
    : interactive.action.sections.flatMap(({ rows }) => rows)
}
