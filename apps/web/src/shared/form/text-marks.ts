import type { RefObject } from 'react'
import { Bold, Italic, Strikethrough } from 'lucide-react'

/** The marks of WhatsApp and the insertions into a field. */
export const MARKS = [
  { mark: '*', name: 'Negrito', Icon: Bold },
  { mark: '_', name: 'Itálico', Icon: Italic },
  { mark: '~', name: 'Riscado', Icon: Strikethrough },
] as const

interface Insertion {
  readonly text: string
  readonly cursor: number
}

export type TextChange = (text: string, start: number, end: number) => Insertion

/** WhatsApp shows no mark beside a space, so the marks stand around the words. Without a selection the cursor stays between them. */
export const wrapWith =
  (mark: string): TextChange =>
  (text, start, end) => {
    const selected = text.slice(start, end)
    const words = selected.trim()
    const before = selected.slice(0, selected.length - selected.trimStart().length)
    const after = words === '' ? '' : selected.slice(before.length + words.length)
    const marked = `${before}${mark}${words}${mark}`
    return {
      text: `${text.slice(0, start)}${marked}${after}${text.slice(end)}`,
      cursor: start + marked.length - (words === '' ? mark.length : 0),
    }
  }

export const insertText =
  (snippet: string): TextChange =>
  (text, start, end) => ({
    text: `${text.slice(0, start)}${snippet}${text.slice(end)}`,
    cursor: start + snippet.length,
  })

/** Changes the text at the cursor of the field and gives the field the focus. A text above `maxLength` changes nothing. */
export function changeField(
  field: RefObject<HTMLTextAreaElement | null>,
  onChange: (text: string) => void,
  change: TextChange,
): void {
  const target = field.current
  if (target === null) return
  const { selectionStart, selectionEnd, maxLength } = target
  const { text, cursor } = change(target.value, selectionStart, selectionEnd)
  const fits = maxLength < 0 || text.length <= maxLength
  if (fits) onChange(text)
  // After React applied the value, the cursor moves behind the insertion.
  requestAnimationFrame(() => {
    target.focus()
    if (fits) target.setSelectionRange(cursor, cursor)
  })
}
